import type { JsonSchema } from '../../tool';
import { ANNOTATIONS, combine, NOTHING } from './combine';

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
    Object.keys(part).every((keyword) => LISTING.has(keyword));
  const isOne = parts.filter(({ $ref }) => $ref !== undefined).length <= 1;
  return isOne && parts.every(lists) ? parts.reduce(united) : undefined;
}

/**
 * Two schemas of one object with the properties of both; of all else the later counts. A property of both has to
 * suit both, or the later if no value can.
 */
export function united(one: JsonSchema, other: JsonSchema): JsonSchema {
  // A map, for `__proto__` is a name like any other.
  const properties = new Map(Object.entries(one.properties ?? {}));
  for (const [name, own] of Object.entries(other.properties ?? {})) {
    const present = properties.get(name);
    const both = present ? combine(present, own) : own;
    properties.set(name, both === NOTHING ? own : both);
  }
  const required = new Set([...(one.required ?? []), ...(other.required ?? [])]);
  return {
    ...one,
    ...other,
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.size > 0 && { required: [...required] }),
  };
}
