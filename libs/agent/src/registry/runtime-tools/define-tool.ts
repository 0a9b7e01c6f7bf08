import type { Type } from '@nestjs/common';
import { type JsonObject, isJsonObject } from '../../message';
import {
  isSchemaType,
  isStandardSchema,
  outputSchemaOf,
  schemaOf,
  toInstance,
  type StandardSchemaV1,
} from '../../schema';
import {
  type JsonSchema,
  type Tool,
  type ToolContext,
  ToolDeclarationError,
  type ToolDefinition,
} from '../../tool';
import { functionTool, type FunctionToolOptions, type ToolHandler } from './function-tool';

/**
 * A description of a tool's input or output: a DTO class, a Standard Schema or a JSON
 * Schema.
 */
export type ToolSchema = Type<unknown> | StandardSchemaV1 | JsonSchema;

/**
 * The handler's input for such a description: an instance of the class, the output of the Standard
 * Schema, or the value itself.
 *
 * @typeParam Source the type of the description
 */
export type InputOf<Source> =
  Source extends Type<infer Instance>
    ? Instance
    : Source extends StandardSchemaV1<unknown, infer Output>
      ? Output
      : JsonObject;

/**
 * A tool without its function, for `ToolRegistry.register`.
 *
 * @typeParam Source the type of `input`
 * @example
 * import { z } from 'zod';
 *
 * function addGreeting(registry: ToolRegistry): void {
 *   registry.register(
 *     { name: 'greet', description: 'Greet somebody', input: z.object({ name: z.string() }) },
 *     ({ name }) => `Hello ${name}`,
 *   );
 * }
 */
export interface DescribedTool<Source extends ToolSchema> {
  /** 1 to 64 letters, digits or underscores; another name is mapped to such a one. */
  readonly name: string;
  /** A name for people; none by default. */
  readonly title?: string;
  /** The tool's purpose; the model chooses by it. */
  readonly description: string;
  /** The arguments. */
  readonly input: Source;
  /** The schema of results; without it they are not checked. */
  readonly output?: ToolSchema;
}

/**
 * A tool's definition, options and function, for `defineTool`.
 *
 * @typeParam Source the type of `input`
 * @example
 * const declaration: ToolDeclaration<JsonSchema> = {
 *   name: 'read_clock',
 *   description: 'Say what time it is',
 *   readOnly: true,
 *   execute: () => new Date().toISOString(),
 * };
 */
export interface ToolDeclaration<Source extends ToolSchema> extends FunctionToolOptions {
  /** 1 to 64 letters, digits or underscores; another name is mapped to such a one. */
  readonly name: string;
  /** A name for people; none by default. */
  readonly title?: string;
  /** The tool's purpose; the model chooses by it. */
  readonly description: string;
  /** The arguments; without it the tool takes none. */
  readonly input?: Source;
  /** The schema of results; without it they are not checked. */
  readonly output?: ToolSchema;
  /**
   * Does the tool's work: answers a value, a Promise, an Observable or an async iterable, or
   * throws.
   */
  readonly execute: (input: InputOf<Source>, ctx: ToolContext) => unknown;
}

/**
 * Makes a tool at run time, for `ToolRegistry.register` or for one run's `tools`.
 *
 * @typeParam Source the type of `input`
 * @param declaration its definition, its options and its function
 * @throws ToolDeclarationError listing everything that is wrong with the declaration
 * @example
 * import { z } from 'zod';
 *
 * const convert = defineTool({
 *   name: 'miles_to_km',
 *   description: 'Convert miles to kilometres',
 *   input: z.object({ miles: z.number() }),
 *   readOnly: true,
 *   execute: ({ miles }) => miles * 1.609344,
 * });
 */
export function defineTool<Source extends ToolSchema = JsonSchema>(
  declaration: ToolDeclaration<Source>,
): Tool {
  const { name, title, description, input, output, execute, ...options } = declaration;
  const definition = {
    name,
    ...(title !== undefined && { title }),
    description,
    input_schema: input === undefined ? { type: 'object', properties: {} } : schemaOf(input),
    ...(output === undefined ? {} : { output_schema: outputSchemaOf(output) }),
  };
  return functionTool(definition, execute, options, readerOf(input));
}

/**
 * A class gives an instance, a Standard Schema its output, JSON Schema its
 * defaults.
 */
function readerOf(source: ToolSchema | undefined) {
  if (!isSchemaType(source) && !isStandardSchema(source)) return undefined;
  return (input: JsonObject) => toInstance(source, input);
}

/** One tool of each form that `ToolRegistry.register` accepts. */
export function toolOf(
  subject: Tool | ToolDefinition | DescribedTool<ToolSchema>,
  handler: ToolHandler<never> | undefined,
  options: FunctionToolOptions | undefined,
): Tool {
  if (isJsonObject(subject) && 'definition' in subject) return subject as Tool;
  if (typeof handler !== 'function') {
    throw new ToolDeclarationError(
      'ToolRegistry.register() needs a handler, a function of the input, beside the definition.',
    );
  }
  return isJsonObject(subject) && 'input' in subject
    ? defineTool({
        ...options,
        ...(subject as DescribedTool<ToolSchema>),
        execute: handler as ToolHandler<InputOf<ToolSchema>>,
      })
    : functionTool(subject as ToolDefinition, handler, options);
}
