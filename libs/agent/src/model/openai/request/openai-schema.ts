import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { ResponseFormatJSONSchema } from 'openai/resources/shared';
import type { JsonObject } from '../../../message';
import { omitNulls, mapSchemas, typesOf, withNote } from '../../../schema';
import type { JsonSchema, ToolDefinition } from '../../../tool';
import type { ResponseFormat } from '../../chat-model';
import { providerName } from '../../tool-calls';
import { openAiStrictSchema } from './openai-strict';
import { oncePer } from '../../../internal';
import { withPlainRoot } from '../../dialect';
import { isOpenAiPattern } from './openai-pattern';

/**
 * A tool's schema as OpenAI accepts it without strict mode. It also refuses patterns that it cannot
 * compile, lists without `items`, and composed schemas at the top. Computed once for each schema:
 * definitions do not change.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools
 */
export const openAiParameters = oncePer((schema: JsonSchema): JsonSchema => ({
  ...accepted(withPlainRoot(schema)),
  $schema: undefined,
}));

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

function accepted(schema: JsonSchema): JsonSchema {
  const { pattern, patternProperties, additionalProperties, ...shape } = mapSchemas(
    schema,
    accepted,
  );
  const isCompiled = typeof pattern !== 'string' || isOpenAiPattern(pattern);
  const keys = Object.keys((patternProperties as object | undefined) ?? {});
  const isOpen = !keys.every(isOpenAiPattern);
  return withNote(
    {
      ...shape,
      ...(typesOf(shape.type).includes('array') &&
        typeof shape.items !== 'object' && { items: {} }),
      ...(isCompiled && pattern !== undefined && { pattern }),
      ...(patternProperties !== undefined && !isOpen && { patternProperties }),
      ...(additionalProperties !== undefined && !isOpen && { additionalProperties }),
    },
    isCompiled ? undefined : `matches ${String(pattern)}`,
    isOpen ? `keys match ${keys.join(' or ')}` : undefined,
  );
}
