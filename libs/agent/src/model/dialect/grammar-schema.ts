import { oncePer } from '../../internal';
import { isSchema, mapSchemas, withNote, without } from '../../schema';
import type { JsonSchema } from '../../tool';
import { inWords } from './keyword-words';

/** Keywords that a grammar cannot express, or only for some values and places. */
const IN_WORDS = ['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;
/** Keywords of which a schema needs one. */
const STRUCTURE = [
  'type',
  'enum',
  'const',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'properties',
  'items',
];

const BRANCHES = new Set(['anyOf', 'oneOf', 'allOf']);
/** Written out, since the grammar of `{}` is that of objects. */
const ANYTHING = ['object', 'array', 'string', 'number', 'boolean', 'null'];

/**
 * A tool's schema as llama.cpp makes a grammar of it: without patterns and lengths, which are put
 * into words, and without objects that may have no property. One tool with another schema is enough
 * for it to refuse the request. Computed once for each schema: definitions do not change.
 *
 * @see https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export const grammarSchemaOf = oncePer((schema: JsonSchema) => written(schema));

/** @param type that of the schema around it, for a branch without one */
function written(schema: JsonSchema, type: JsonSchema['type'] = ANYTHING): JsonSchema {
  if (!STRUCTURE.some((keyword) => keyword in schema)) return written({ ...schema, type });
  const words = IN_WORDS.map((name) => (name in schema ? inWords(name, schema[name]) : undefined));
  const whole = withNote(
    without(
      mapSchemas(schema, (part, keyword) =>
        written(part, BRANCHES.has(keyword) ? schema.type : undefined),
      ),
      ...IN_WORDS,
    ),
    ...words,
  );
  const hasMembers =
    Object.keys(whole.properties ?? {}).length > 0 || isSchema(whole.additionalProperties);
  return hasMembers ? whole : without(whole, 'properties', 'additionalProperties');
}
