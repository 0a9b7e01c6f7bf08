import type { ToolDefinition } from '../tool';
import { acceptedSchemaOf } from './dialect';
import { openAiStrictSchema, toOpenAiTool } from './openai/request';
import type { ToolDialect } from './tool-dialect';
import { providerName } from './tool-calls';

/** A tool in the form of each provider, by the same functions that write their requests. */
export function dialectsOf(tool: ToolDefinition): readonly ToolDialect[] {
  const { name, description, input_schema } = tool;
  const strict = openAiStrictSchema(input_schema);
  const accepted = { ...acceptedSchemaOf(input_schema).schema, type: 'object' };
  return [
    { provider: 'declared', definition: { name, description, input_schema } },
    {
      provider: 'openai',
      definition: toOpenAiTool(tool, true),
      ...('reason' in strict && { notStrict: strict.reason }),
    },
    { provider: 'openai-compatible', definition: toOpenAiTool(tool, false) },
    {
      provider: 'anthropic',
      definition: { name: providerName(name), description, input_schema: accepted },
    },
  ];
}
