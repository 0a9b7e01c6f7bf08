import { frozenCopy } from '../../internal';
import { isJsonObject, type JsonObject, type JsonValue } from '../../message';
import { schemaOf, SchemaValidator } from '../../schema';
import {
  ToolDeclarationError,
  toToolName,
  traitsOf,
  type JsonSchema,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolOptions,
} from '../../tool';
import { assertDefinition } from '../definition-check';
import { optionProblems } from '../option-problems';

/**
 * The function of a run-time tool, given its checked arguments: answers a value, a Promise, an
 * Observable or an async iterable, or throws.
 *
 * @typeParam Input the type of the checked arguments
 * @example
 * const greet: ToolHandler = ({ name }, ctx) => {
 *   if (typeof name !== 'string') throw new ToolError('Say whom to greet.');
 *   return `Hello ${name}, says ${ctx.principal ?? 'nobody'}.`;
 * };
 */
export type ToolHandler<Input = JsonObject> = (input: Input, ctx: ToolContext) => unknown;

/**
 * Options of a run-time tool beside its definition; the same as with `@Tool`.
 *
 * @example
 * const options: FunctionToolOptions = { group: 'billing', readOnly: true, cacheTtlMs: 60_000 };
 */
export type FunctionToolOptions = Omit<
  ToolOptions,
  'name' | 'title' | 'description' | 'method' | 'input' | 'output' | 'offer'
>;

/** Turns checked arguments into the handler's input. */
type InputReader = (input: JsonObject) => unknown;

/**
 * Creates a tool from a definition and a function.
 *
 * @param read turns checked arguments into the handler's input; by default the schema's defaults
 * are filled in
 * @throws ToolDeclarationError with all problems of the definition, or of the options
 */
export function functionTool(
  definition: ToolDefinition,
  handler: ToolHandler<never>,
  options: FunctionToolOptions = {},
  read?: InputReader,
): Tool {
  if (!isJsonObject(definition)) assertDefinition(definition, 'A run-time tool');
  const source = `run-time tool "${String(definition.name)}"`;
  const named = withOwnName(definition);
  assertDefinition(named, source);
  assertFunction(handler, options, source);
  const known = keptDefinition(named, source);
  const validator = new SchemaValidator(known.input_schema);
  // A class or a library's schema knows its own defaults.
  const complete = (input: JsonObject): JsonObject =>
    read ? input : withDefaults(input, known.input_schema);
  const { examples, readOnly, destructive, idempotent, concurrencySafe, openWorld, ...rest } =
    options;
  return {
    ...rest,
    definition: known,
    kind: 'function',
    source,
    traits: traitsOf({ readOnly, destructive, idempotent, concurrencySafe, openWorld }),
    ...(examples?.[0] === undefined ? {} : { example: examples[0] }),
    ...(named.name === definition.name ? {} : { foreignName: definition.name }),
    normalize: (input) => complete(validator.given(input)),
    async bind(input) {
      const accepted = complete(validator.accept(input));
      return read ? await read(accepted) : accepted;
    },
    invoke: ({ args, context }) => handler(args as never, context),
  };
}

/** @throws ToolDeclarationError with all problems of the function and its options */
function assertFunction(handler: unknown, options: FunctionToolOptions, source: string): void {
  const problems = [
    ...(typeof handler === 'function' ? [] : ['"execute" must be a function']),
    ...optionProblems('runtimeTool', options),
  ];
  if (problems.length > 0) throw new ToolDeclarationError(`${source}: ${problems.join('; ')}.`);
}

function withOwnName(definition: ToolDefinition): ToolDefinition {
  const { name } = definition;
  return typeof name === 'string' && name !== ''
    ? { ...definition, name: toToolName(name) }
    : definition;
}

/** @throws ToolDeclarationError for values that are not JSON, which only a copy detects */
function keptDefinition(definition: ToolDefinition, source: string): ToolDefinition {
  try {
    return frozenCopy({ ...definition, input_schema: schemaOf(definition.input_schema) });
  } catch (error) {
    if (error instanceof ToolDeclarationError) throw error;
    throw new ToolDeclarationError(
      `${source}: not a tool definition: its schemas must be JSON, without functions or the like.`,
      { cause: error },
    );
  }
}

function withDefaults(input: JsonObject, schema: JsonSchema): JsonObject {
  const missing = Object.entries(schema.properties ?? {}).filter(
    (entry): entry is [string, JsonSchema & { default: JsonValue }] =>
      entry[1].default !== undefined && !Object.hasOwn(input, entry[0]),
  );
  if (missing.length === 0) return input;
  return {
    ...input,
    ...Object.fromEntries(
      missing.map(([name, { default: value }]) => [name, structuredClone(value)]),
    ),
  };
}
