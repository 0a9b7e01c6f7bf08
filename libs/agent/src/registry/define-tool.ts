import type { Type } from '@nestjs/common';
import type { JsonObject } from '../message';
import {
  isSchemaType,
  isStandardSchema,
  outputSchemaOf,
  schemaOf,
  toInstance,
  type StandardSchemaV1,
} from '../schema';
import type { JsonSchema, Tool, ToolContext } from '../tool';
import { functionTool } from './function-tool';
import type { FunctionToolOptions } from './tool-handler';

/** What a tool's input or output may be described with. */
export type ToolSchema = Type<unknown> | StandardSchemaV1 | JsonSchema;

/** What a handler receives for an input described so. */
export type InputOf<Source> =
  Source extends Type<infer Instance>
    ? Instance
    : Source extends StandardSchemaV1<unknown, infer Output>
      ? Output
      : JsonObject;

export interface ToolDeclaration<Source extends ToolSchema> extends FunctionToolOptions {
  readonly name: string;
  readonly description: string;
  /** A DTO class, a JSON Schema or a Standard Schema; without it the tool takes no arguments. */
  readonly input?: Source;
  readonly output?: ToolSchema;
  readonly execute: (input: InputOf<Source>, ctx: ToolContext) => unknown;
}

/**
 * Makes a tool at run time, for `ToolRegistry.register` or for one call's `tools`.
 *
 * @throws ToolDeclarationError listing everything that is wrong with the declaration
 * @example
 * const convert = defineTool({
 *   name: 'convert_currency',
 *   description: 'Convert an amount between currencies',
 *   input: z.object({ amount: z.number(), to: z.string() }),
 *   readOnly: true,
 *   execute: ({ amount, to }) => rates.convert(amount, to),
 * });
 */
export function defineTool<Source extends ToolSchema = JsonSchema>(
  declaration: ToolDeclaration<Source>,
): Tool {
  const { name, description, input, output, execute, ...options } = declaration;
  const definition = {
    name,
    description,
    input_schema: input === undefined ? { type: 'object', properties: {} } : schemaOf(input),
    ...(output === undefined ? {} : { output_schema: outputSchemaOf(output) }),
  };
  return functionTool(definition, execute, options, readerOf(input));
}

/** A class gives an instance, a Standard Schema what it makes of the value, JSON Schema its defaults. */
function readerOf(source: ToolSchema | undefined) {
  if (source === undefined || !(isSchemaType(source) || isStandardSchema(source))) return undefined;
  return (input: JsonObject) => toInstance(source, input);
}
