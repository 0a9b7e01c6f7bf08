import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { JsonObject } from '../../../message';
import { omitNulls } from '../../../schema';
import type { ToolDefinition } from '../../../tool';
import { providerName } from '../../tool-calls';
import { openAiParameters } from './openai-parameters';
import { openAiStrictSchema } from './openai-strict';

/** A tool as OpenAI is told of it. @param isStrict whether the service binds its models to schemas */
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
 * The way back from `toOpenAiTool`: in strict mode a model writes `null` for what it leaves out, and
 * whoever carries the call out has never been told of that.
 */
export function openAiInputOf(
  tools: readonly ToolDefinition[],
): (name: string, input: JsonObject) => JsonObject {
  return (name, input) => {
    const schema = tools.find((tool) => tool.name === name)?.input_schema;
    return schema ? (omitNulls(input, schema) as JsonObject) : input;
  };
}
