import { isJsonObject, type JsonObject } from '../../message';
import { MASK, SchemaValidator } from '../../schema';
import {
  type JsonSchema,
  type Tool,
  ToolDeclarationError,
  type ToolExample,
  type ToolInvocation,
} from '../../tool';
import { cacheableWith, PresetValues } from './preset-values';

/**
 * A tool with preset arguments, which the model neither sees nor sends; the execution adds them.
 * For tools with an object as input, such as routes.
 *
 * @throws ToolDeclarationError for a preset of an unknown argument
 */
export function withPresets(tool: Tool, presets: Readonly<Record<string, unknown>>): Tool {
  const names = Object.keys(presets);
  if (names.length === 0) return tool;
  const { definition } = tool;
  assertArguments(tool, names);
  const hidden = new Set(names);
  const input_schema = withoutProperties(definition.input_schema, hidden);
  const validator = new SchemaValidator(input_schema);
  const values = new PresetValues();
  const normalize = (input: JsonObject): JsonObject => {
    const normal = tool.normalize?.(input) ?? input;
    // A hidden argument may be present as a default.
    return Object.fromEntries(
      Object.entries(normal).filter(([name]) => !hidden.has(name) || Object.hasOwn(input, name)),
    );
  };

  const complete = async (invocation: ToolInvocation): Promise<ToolInvocation> => {
    const preset = await Promise.all(
      names.map(async (name) => [name, await values.of(name, presets[name], invocation.context)]),
    );
    const input = {
      ...(invocation.args as JsonObject),
      ...Object.fromEntries(preset.filter(([, value]) => value !== undefined)),
    } as JsonObject;
    return { ...invocation, args: await tool.bind(input) };
  };
  return {
    ...tool,
    ...cacheableWith(presets),
    definition: { ...definition, input_schema },
    ...(tool.example && { example: withoutArguments(tool.example, hidden) }),
    normalize,
    bind: (input) => Promise.resolve().then(() => validator.accept(normalize(input))),
    ...(tool.requestFor && {
      requestFor: (input: JsonObject) =>
        tool.requestFor?.({ ...input, ...Object.fromEntries(names.map((name) => [name, MASK])) }),
    }),
    invoke: async (invocation) => tool.invoke(await complete(invocation)),
    ...(tool.authorize && {
      authorize: async (invocation: ToolInvocation) => tool.authorize?.(await complete(invocation)),
    }),
  };
}

function assertArguments({ definition, source }: Tool, names: readonly string[]): void {
  const unknown = names.filter(
    (name) => !Object.hasOwn(definition.input_schema.properties ?? {}, name),
  );
  if (unknown.length === 0) return;
  throw new ToolDeclarationError(
    `${source}: "presets" names ${unknown.map((name) => `"${name}"`).join(', ')}, but the tool has no such argument.`,
  );
}

function withoutProperties(schema: JsonSchema, hidden: ReadonlySet<string>): JsonSchema {
  const { properties = {}, required, ...rest } = schema;
  const stillRequired = required?.filter((name) => !hidden.has(name)) ?? [];
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !hidden.has(name)),
    ),
    ...(stillRequired.length > 0 && { required: stillRequired }),
  };
}

function withoutArguments(example: ToolExample, hidden: ReadonlySet<string>): ToolExample {
  if (!isJsonObject(example.input)) return example;
  const shown = Object.entries(example.input).filter(([name]) => !hidden.has(name));
  return { ...example, input: Object.fromEntries(shown) };
}
