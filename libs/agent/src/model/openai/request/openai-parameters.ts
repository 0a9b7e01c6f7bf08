import { oncePer } from '../../../internal';
import { mapSchemas, typesOf, withNote } from '../../../schema';
import type { JsonSchema } from '../../../tool';
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
