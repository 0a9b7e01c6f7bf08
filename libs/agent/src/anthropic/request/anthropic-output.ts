import {
  type SchemaSize,
  STRICT_FORMATS,
  type StrictDialect,
  strictSchemaOf,
} from '../../model/dialect';
import type { JsonSchema } from '../../tool';

const FORMATS: ReadonlySet<unknown> = new Set([...STRICT_FORMATS, 'uri']);

const MAX_OPTIONAL_PROPERTIES = 24;
const MAX_UNIONS = 16;

/** @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
const ANTHROPIC_OUTPUT: StrictDialect = {
  takes: (keyword, value) =>
    keyword === 'format'
      ? FORMATS.has(value)
      : keyword === 'minItems' && (value === 0 || value === 1),
  requiresAll: false,
  allowsRecursion: false,
  excess: ({ optionalProperties, unions }: SchemaSize) =>
    optionalProperties > MAX_OPTIONAL_PROPERTIES || unions > MAX_UNIONS
      ? 'it leaves too much open'
      : undefined,
};

/**
 * A schema that Anthropic can enforce on an answer; `undefined` if there is none, so that only the
 * prompt can ask for it.
 */
export function anthropicOutputSchema(schema: JsonSchema): JsonSchema | undefined {
  const strict = strictSchemaOf(schema, ANTHROPIC_OUTPUT);
  return 'schema' in strict ? strict.schema : undefined;
}
