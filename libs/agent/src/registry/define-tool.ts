import type { Type } from '@nestjs/common';
import type { JsonObject } from '../message';
import { outputSchemaOf, schemaOf, toInstance, type StandardSchemaV1 } from '../schema';
import { InvalidArgumentsError, type JsonSchema, type Tool, type ToolContext } from '../tool';
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

function readerOf(source: ToolSchema | undefined) {
  if (source === undefined) return undefined;
  if (isStandardSchema(source)) return (input: JsonObject) => parseWith(source, input);
  if (typeof source === 'function') {
    return (input: JsonObject) => toInstance(source, input, { path: '' });
  }
  return undefined;
}

function isStandardSchema(source: ToolSchema): source is StandardSchemaV1 {
  return '~standard' in source;
}

async function parseWith(schema: StandardSchemaV1, input: JsonObject): Promise<unknown> {
  const result = await schema['~standard'].validate(input);
  if (result.issues === undefined) return result.value;
  throw new InvalidArgumentsError(
    result.issues.map(({ path = [], message }) => ({ path: pointer(path), message })),
  );
}

function pointer(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  return path
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
