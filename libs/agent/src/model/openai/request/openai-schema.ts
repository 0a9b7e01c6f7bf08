import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { ResponseFormatJSONSchema } from 'openai/resources/shared';
import type { JsonObject } from '../../../message';
import { omitNulls } from '../../../schema';
import type { JsonSchema, ToolDefinition } from '../../../tool';
import type { ResponseFormat } from '../../chat-model';
import { providerName } from '../../tool-calls';
import { openAiParameters } from './openai-parameters';
import { openAiStrictSchema } from './openai-strict';

/** A tool in OpenAI's form. @param isStrict whether the service enforces schemas */
export function toOpenAiTool(
  { name, description, input_schema }: ToolDefinition,
  isStrict: boolean,
): ChatCompletionFunctionTool {
  const { schema: parameters, strict } = openAiSchema(input_schema, isStrict);
  return {
    type: 'function',
    function: { name: providerName(name), description, parameters, ...(strict && { strict }) },
  };
}

/** The JSON Schema of an answer in OpenAI's form. */
export function jsonSchemaFormat({
  name,
  schema,
  description,
  strict,
}: Extract<ResponseFormat, { readonly type: 'json_schema' }>) {
  return {
    name: providerName(name),
    ...(description !== undefined && { description }),
    ...openAiSchema(schema, strict !== false),
  } satisfies ResponseFormatJSONSchema.JSONSchema;
}

/** A schema in the form that OpenAI enforces, if that is wanted and its rules allow it. */
function openAiSchema(schema: JsonSchema, isWanted: boolean) {
  const strict = isWanted ? openAiStrictSchema(schema) : undefined;
  return strict && 'schema' in strict
    ? { schema: { ...strict.schema }, strict: true }
    : { schema: { ...openAiParameters(schema) }, strict: false };
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
