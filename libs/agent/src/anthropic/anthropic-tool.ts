import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import type { JsonObject } from '../message';
import { hashedName, providerName } from '../model/tool-calls';
import { withPlainRoot } from '../model/dialect';
import type { JsonSchema, ToolDefinition } from '../tool';

/** A tool as Anthropic is told of it. */
export function toAnthropicTool({ name, description, input_schema }: ToolDefinition): Tool {
  return {
    name: providerName(name),
    description,
    input_schema: { ...toldOf(input_schema).schema, type: 'object' } as Tool['input_schema'],
  };
}

/** The way back from `toAnthropicTool`: the arguments by their own names. */
export function anthropicInputOf(
  tools: readonly ToolDefinition[],
): (name: string, input: JsonObject) => JsonObject {
  return (name, input) => {
    const schema = tools.find((tool) => tool.name === name)?.input_schema;
    const ownNames = schema && toldOf(schema).ownNames;
    if (ownNames === undefined || ownNames.size === 0) return input;
    return Object.fromEntries(
      Object.entries(input).map(([key, value]) => [ownNames.get(key) ?? key, value]),
    );
  };
}

/** A schema as Anthropic is told of it, and the arguments that have another name in it. */
interface ToldSchema {
  readonly schema: JsonSchema;
  readonly ownNames: ReadonlyMap<string, string>;
}

const known = new WeakMap<JsonSchema, ToldSchema>();

/** Made once for each schema: definitions do not change. */
function toldOf(schema: JsonSchema): ToldSchema {
  let told = known.get(schema);
  if (!told) known.set(schema, (told = withAcceptedNames(withPlainRoot(schema))));
  return told;
}

function withAcceptedNames(schema: JsonSchema): ToldSchema {
  const { properties = {}, required, ...rest } = schema;
  const ownNames = new Map<string, string>();
  const renamed = Object.entries(properties).map(([name, property]) => {
    const accepted = argumentName(name);
    if (accepted !== name) ownNames.set(accepted, name);
    return [accepted, property] as const;
  });
  if (ownNames.size === 0) return { schema, ownNames };
  return {
    schema: {
      ...rest,
      properties: Object.fromEntries(renamed),
      ...(required && { required: required.map(argumentName) }),
    },
    ownNames,
  };
}

const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The name of an argument that the API takes. */
function argumentName(name: string): string {
  return ACCEPTED.test(name) ? name : hashedName(name, /[^a-zA-Z0-9_.-]/g);
}
