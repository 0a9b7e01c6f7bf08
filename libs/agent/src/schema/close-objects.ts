import type { JsonSchema } from '../tool';

const LISTS = ['anyOf', 'oneOf', 'prefixItems'] as const;
const MAPS = ['properties', '$defs', 'definitions', 'patternProperties'] as const;
const OPEN = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'] as const;
const COMPOSED = ['allOf', 'anyOf', 'oneOf', '$ref', 'if', 'dependentSchemas'] as const;

/**
 * Refuses unknown keys wherever a schema lists its properties and leaves the rest open. What is
 * put together with `allOf` and the like gets `unevaluatedProperties`, for its parts do not know
 * each other's keys.
 */
export function closeObjects(schema: JsonSchema): JsonSchema {
  const closed: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$schema') continue;
    if (keyword === 'items' && isSchema(value)) closed[keyword] = closeObjects(value);
    else if (keyword === 'additionalProperties' && isSchema(value))
      closed[keyword] = closeObjects(value);
    else if (isOneOf(LISTS, keyword) && Array.isArray(value) && !schema.properties)
      closed[keyword] = value.map((part: unknown) => (isSchema(part) ? closeObjects(part) : part));
    else if (isOneOf(MAPS, keyword) && isSchema(value)) closed[keyword] = closeEach(value);
    else closed[keyword] = value;
  }
  const lists = schema.properties !== undefined || schema.allOf !== undefined;
  if (!lists || OPEN.some((keyword) => keyword in schema)) return closed;
  const composed = COMPOSED.some((keyword) => keyword in schema);
  closed[composed ? 'unevaluatedProperties' : 'additionalProperties'] = false;
  return closed;
}

function closeEach(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, part]) => [
      name,
      isSchema(part) ? closeObjects(part) : part,
    ]),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf(words: readonly string[], word: string): boolean {
  return words.includes(word);
}
