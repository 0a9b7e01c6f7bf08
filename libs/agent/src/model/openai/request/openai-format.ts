import type { ResponseFormatJSONSchema } from 'openai/resources/shared';
import type { ResponseFormat } from '../../chat-model';
import { providerName } from '../../tool-calls';
import { openAiParameters } from './openai-parameters';
import { openAiStrictSchema } from './openai-strict';

/** The JSON Schema of an answer in OpenAI's form: strict where its rules allow that. */
export function jsonSchemaFormat({
  name,
  schema,
  description,
  strict: isWanted,
}: Extract<ResponseFormat, { readonly type: 'json_schema' }>) {
  const strict = isWanted === false ? undefined : openAiStrictSchema(schema);
  return {
    name: providerName(name),
    ...(description !== undefined && { description }),
    ...(strict !== undefined && 'schema' in strict
      ? { schema: { ...strict.schema }, strict: true }
      : { schema: { ...openAiParameters(schema) }, strict: false }),
  } satisfies ResponseFormatJSONSchema.JSONSchema;
}
