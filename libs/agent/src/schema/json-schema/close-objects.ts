import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas } from './map-schemas';

/** Keywords whose schemas describe members. */
const INSIDE = ['properties', 'patternProperties', 'items', 'additionalProperties', 'prefixItems'];
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
  return new Closer(sharedParts(schema)).close(schema, false);
}

class Closer {
  /** @param shared the references used as parts of composed schemas */
  constructor(private readonly shared: ReadonlySet<string>) {}

  close(schema: JsonSchema, isPart: boolean): JsonSchema {
    const closed = mapSchemas(without(schema, '$schema'), (inner, keyword, name) => {
      if (INSIDE.includes(keyword)) return this.close(inner, false);
      if (DEFINITIONS.includes(keyword))
        return this.close(inner, this.shared.has(`#/${keyword}/${name ?? ''}`));
      return holdsPart(schema, keyword, isPart) || BRANCHES.includes(keyword)
        ? this.close(inner, holdsPart(schema, keyword, isPart))
        : inner;
    });
    const isOpen = isPart || 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
    if (isOpen || !(listsProperties(schema) || this.shared.has(schema.$ref ?? ''))) return closed;
    const isComposed =
      '$ref' in schema || 'if' in schema || [...PARTS, ...BRANCHES].some((one) => one in schema);
    return { ...closed, [isComposed ? 'unevaluatedProperties' : 'additionalProperties']: false };
  }
}

function listsProperties(schema: JsonSchema): boolean {
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
