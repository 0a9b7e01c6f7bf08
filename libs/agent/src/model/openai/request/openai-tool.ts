import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { JsonObject } from '../../../message';
import { omitNulls } from '../../../schema';
import type { ToolDefinition } from '../../../tool';
import { providerName } from '../../tool-calls';
import { openAiParameters } from './openai-parameters';
import { openAiStrictSchema } from './openai-strict';

/** A tool in OpenAI's form. @param isStrict whether the service enforces schemas */
export function toOpenAiTool(
  { name, description, input_schema }: ToolDefinition,
  isStrict: boolean,
): ChatCompletionFunctionTool {
  const strict = isStrict ? openAiStrictSchema(input_schema) : undefined;
  const parameters = strict && 'schema' in strict ? strict.schema : undefined;
  return {
    type: 'function',
    function: {
      name: providerName(name),
      description,
      parameters: { ...(parameters ?? openAiParameters(input_schema)) },
      ...(parameters && { strict: true }),
    },
  };
}

/**
 * The inverse of `toOpenAiTool`: removes the `null` that a model in strict mode writes for missing
 * arguments, since the tool does not expect it.
 */
export function openAiInputOf(
  tools: readonly ToolDefinition[],
): (name: string, input: JsonObject) => JsonObject {
  return (name, input) => {
    const schema = tools.find((tool) => tool.name === name)?.input_schema;
    return schema ? (omitNulls(input, schema) as JsonObject) : input;
  };
}
