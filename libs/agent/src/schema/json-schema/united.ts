import type { JsonSchema } from '../../tool';
import { ANNOTATIONS, combine, NOTHING, only, without } from './combine';
import { FORMER, isSchema, mapSchemas, someSchema } from './map-schemas';
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

/** Merges two schemas of one object: the properties of both, and the later schema's other keywords. */
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
 * narrows it, as no value of one closed class is one of another. The earlier one stays for its secrets.
 */
function redeclared(present: JsonSchema, own: JsonSchema): JsonSchema {
  if (Object.keys(own).every((keyword) => ANNOTATIONS.has(keyword))) return { ...present, ...own };
  const notes = only(present, ...ANNOTATIONS, 'writeOnly');
  if (!isSimple(present)) return { ...notes, ...own, [FORMER]: present };
  const both = isSimple(own) ? combine(present, own) : own;
  return { ...notes, ...(both === NOTHING ? own : both) };
}

/** Removes replaced declarations. A declaration that replaced a sensitive one becomes sensitive as a whole. */
export function withoutFormer<T extends JsonSchema>(schema: T, root: JsonSchema): T {
  const { [FORMER]: former } = schema;
  const isSecret = isSchema(former) && holdsSensitive(former, root);
  const own = isSchema(former) ? without(schema, FORMER) : schema;
  const marked = isSecret ? { ...own, writeOnly: true } : own;
  return mapSchemas(marked, (part) => withoutFormer(part, root)) as T;
}

function isSimple(schema: JsonSchema): boolean {
  return (
    !('$ref' in schema) &&
    !someSchema(schema, () => true) &&
    schema.additionalProperties === undefined
  );
}
