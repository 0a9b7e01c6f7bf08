import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import type { JsonObject } from '../../message';
import { acceptedSchemaOf } from '../../model/dialect';
import { providerName } from '../../model/tool-calls';
import type { ToolDefinition } from '../../tool';

/** A tool in Anthropic's form. */
export function toAnthropicTool({ name, description, input_schema }: ToolDefinition): Tool {
  return {
    name: providerName(name),
    description,
    input_schema: {
      ...acceptedSchemaOf(input_schema).schema,
      type: 'object',
    } as Tool['input_schema'],
  };
}

/** The inverse of `toAnthropicTool`: the arguments by their original names. */
export function anthropicInputOf(
  tools: readonly ToolDefinition[],
): (name: string, input: JsonObject) => JsonObject {
  return (name, input) => {
    const schema = tools.find((tool) => tool.name === name)?.input_schema;
    const ownNames = schema && acceptedSchemaOf(schema).ownNames;
    if (ownNames === undefined || ownNames.size === 0) return input;
    return Object.fromEntries(
      Object.entries(input).map(([key, value]) => [ownNames.get(key) ?? key, value]),
    );
  };
}
