import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas, MEMBERS } from './map-schemas';

const DEFINITIONS = ['$defs', 'definitions'];
/** Keywords whose schemas always describe the same object as the schema around them. */
const PARTS = ['allOf', 'then', 'else', 'dependentSchemas'];
/** Keywords whose schemas do so if the schema around them lists properties. */
const BRANCHES = ['anyOf', 'oneOf'];

/**
 * Refuses unknown keys in every schema that lists properties without `additionalProperties`. A
 * composed schema (`allOf` and the like) gets `unevaluatedProperties`, since its parts do not know
 * each other's keys. A definition used as such a part stays open, and is closed at its other uses.
 */
export function closeObjects(schema: JsonSchema): JsonSchema {
  const shared = sharedParts(schema);
  const close = (part: JsonSchema, isPart: boolean): JsonSchema => {
    const closed = mapSchemas(without(part, '$schema'), (inner, keyword, name) => {
      if (MEMBERS.includes(keyword)) return close(inner, false);
      if (DEFINITIONS.includes(keyword))
        return close(inner, shared.has(`#/${keyword}/${name ?? ''}`));
      const isInnerPart = holdsPart(part, keyword, isPart);
      return isInnerPart || BRANCHES.includes(keyword) ? close(inner, isInnerPart) : inner;
    });
    const isOpen = isPart || 'additionalProperties' in part || 'unevaluatedProperties' in part;
    if (isOpen || !(listsProperties(part) || shared.has(part.$ref ?? ''))) return closed;
    const isComposed =
      '$ref' in part || 'if' in part || [...PARTS, ...BRANCHES].some((one) => one in part);
    return { ...closed, [isComposed ? 'unevaluatedProperties' : 'additionalProperties']: false };
  };
  return close(schema, false);
}

function listsProperties(schema: JsonSchema): boolean {
  // A text has rules in "allOf", too, and not every client knows "unevaluatedProperties".
  if (![schema.type ?? 'object'].flat().includes('object')) return false;
  return ['properties', 'patternProperties', 'allOf'].some((keyword) => keyword in schema);
}

function holdsPart(schema: JsonSchema, keyword: string, isPart: boolean): boolean {
  if (PARTS.includes(keyword)) return true;
  return BRANCHES.includes(keyword) && (isPart || listsProperties(schema) || '$ref' in schema);
}

/** The references used as parts of composed schemas, and the references they lead to. */
function sharedParts(root: JsonSchema): ReadonlySet<string> {
  const shared = new Set<string>();
  const aliases = new Map<string, string>();
  const visit = (schema: JsonSchema, isPart: boolean): JsonSchema => {
    const { $ref } = schema;
    if ($ref !== undefined && (isPart || listsProperties(schema))) shared.add($ref);
    mapSchemas(schema, (inner, keyword, name) => {
      if (DEFINITIONS.includes(keyword) && inner.$ref !== undefined)
        aliases.set(`#/${keyword}/${name ?? ''}`, inner.$ref);
      return visit(inner, holdsPart(schema, keyword, isPart));
    });
    return schema;
  };
  visit(root, false);
  for (const reference of shared) {
    const next = aliases.get(reference);
    if (next !== undefined) shared.add(next);
  }
  return shared;
}
