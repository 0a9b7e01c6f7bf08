import type { JsonSchema } from '../../tool';
import { ANNOTATIONS, combine, NOTHING, only, without } from './combine';
import { isSchema, mapSchemas } from './map-schemas';
import { holdsSensitive } from './schema-views';

/** Keywords that several schemas may each have and still list properties of one object. */
const LISTING: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  ...['$ref', 'type', 'properties', 'required', 'additionalProperties'],
]);

/**
 * One schema for the parts of an object, as `allOf` of OpenAPI composes a model and further properties; `undefined`
 * unless each part lists properties or is a reference, or if several are references.
 */
export function composed(parts: readonly JsonSchema[]): JsonSchema | undefined {
  const lists = (part: JsonSchema): boolean =>
    (part.$ref !== undefined || part.properties !== undefined) &&
    Object.values(part.properties ?? {}).every(isSchema) &&
    Object.keys(part).every((keyword) => LISTING.has(keyword));
  const isOne = parts.filter(({ $ref }) => $ref !== undefined).length <= 1;
  return parts.length > 0 && isOne && parts.every(lists) ? parts.reduce(united) : undefined;
}

/** Two schemas of one object with the properties of both; of all else the later counts. */
export function united(one: JsonSchema, other: JsonSchema): JsonSchema {
  // A map, for `__proto__` is a name like any other.
  const properties = new Map(Object.entries(one.properties ?? {}));
  for (const [name, own] of Object.entries(other.properties ?? {})) {
    const present = properties.get(name);
    properties.set(name, present ? redeclared(present, own) : own);
  }
  const required = new Set([...(one.required ?? []), ...(other.required ?? [])]);
  return {
    ...one,
    ...other,
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/**
 * A property of both: simple values have to suit both. An object, a list or a reference is the later's, which
 * narrows it, as no value of one closed class is one of another. The earlier one stays for its secrets, under a
 * `then` that no `if` makes a condition.
 */
function redeclared(present: JsonSchema, own: JsonSchema): JsonSchema {
  if (Object.keys(own).every((keyword) => ANNOTATIONS.has(keyword))) return { ...present, ...own };
  const notes = only(present, ...ANNOTATIONS, 'writeOnly');
  if (!isSimple(present)) return { ...notes, ...own, then: present };
  const both = isSimple(own) ? combine(present, own) : own;
  return { ...notes, ...(both === NOTHING ? own : both) };
}

/** The schema without the earlier declarations that hold no secret. */
export function withoutPlainPast<T extends JsonSchema>(schema: T, root: JsonSchema): T {
  const { then: past } = schema;
  const isPlain = isSchema(past) && schema.if === undefined && !holdsSensitive(past, root);
  const kept = isPlain ? without(schema, 'then') : schema;
  return mapSchemas(kept, (part) => withoutPlainPast(part, root)) as T;
}

function isSimple(schema: JsonSchema): boolean {
  return !STRUCTURE.some((keyword) => keyword in schema);
}

const STRUCTURE = [
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'not'],
  ...['properties', 'additionalProperties', 'items'],
];
