import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas } from './map-schemas';

/** What is looked into: the rest says what a value is like, not what it is made of. */
const INSIDE = ['properties', 'patternProperties', 'items', 'additionalProperties', 'prefixItems'];
const DEFINITIONS = ['$defs', 'definitions'];
/** Parts that always describe the same object as the schema they stand in. */
const PARTS = ['allOf', 'then', 'else', 'dependentSchemas'];
/** Parts that do where the schema lists properties too. */
const BRANCHES = ['anyOf', 'oneOf'];

/**
 * Refuses unknown keys wherever a schema lists its properties and leaves the rest open. What is
 * put together with `allOf` and the like gets `unevaluatedProperties`, for its parts do not know
 * each other's keys; a definition that is such a part stays open, and is closed where it is used
 * alone.
 */
export function closeObjects(schema: JsonSchema): JsonSchema {
  return new Closer(sharedParts(schema)).close(schema, false);
}

class Closer {
  /** @param shared the references that are parts of something */
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

/** The references that stand where a part of something stands, and those they lead on to. */
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
