import { isJsonObject, type JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { without } from './combine';
import { mapSchemas } from './map-schemas';

/** Keywords of older drafts, which mean nothing in the newest one. */
const DROPPED = ['$schema', 'id', '$comment', 'additionalItems', 'dependencies'];

/** In a reference. One schema under `items` has no numbered members. */
const ITEM_OF_TUPLE = /\/items\/(?=\d+(?:\/|$))/g;

/**
 * Another party's schema in the form of 2020-12, whichever draft it was written in: libraries still
 * write draft 7.
 *
 * @throws RangeError if it is nested too deeply
 */
export function newestDraftOf(schema: JsonSchema): JsonSchema {
  const own = nullable(dependencies(tuples(withNumericBounds(references(schema)))));
  return mapSchemas(without(own, ...DROPPED), newestDraftOf);
}

/** Up to 2019-09, `items` contains the items of a tuple. */
function references(schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  return { ...schema, $ref: $ref.replaceAll(ITEM_OF_TUPLE, '/prefixItems/') };
}

/** Draft 4 and OpenAPI 3.0: `{ minimum: 1, exclusiveMinimum: true }`. */
export function withNumericBounds(schema: JsonSchema): JsonSchema {
  const pairs = [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const;
  return pairs.reduce<JsonSchema>((result, [exclusive, bound]) => {
    if (typeof result[exclusive] !== 'boolean') return result;
    const { [exclusive]: isExclusive, [bound]: value, ...rest } = result;
    if (value === undefined) return rest;
    return { ...rest, [isExclusive === true ? exclusive : bound]: value };
  }, schema);
}

/** Up to 2019-09: a list under `items`, and `additionalItems` for the rest. */
function tuples(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, ...rest } = schema as JsonSchema & {
    readonly items?: unknown;
    readonly additionalItems?: unknown;
  };
  if (!Array.isArray(items)) return schema;
  const isSchema = typeof additionalItems === 'boolean' || isJsonObject(additionalItems);
  return {
    ...rest,
    ...(items.length > 0 && { prefixItems: items as readonly unknown[] }),
    ...(isSchema && { items: additionalItems }),
  };
}

/** Up to draft 7: keys that need other keys, or a schema. */
function dependencies(schema: JsonSchema): JsonSchema {
  const {
    dependencies: old,
    dependentRequired,
    dependentSchemas,
  } = schema as JsonSchema & {
    readonly dependentRequired?: object;
    readonly dependentSchemas?: object;
  };
  if (!isJsonObject(old)) return schema;
  const entries = Object.entries(old);
  const required = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isJsonObject(value));
  return {
    ...schema,
    ...(required.length > 0 && {
      dependentRequired: { ...Object.fromEntries(required), ...dependentRequired },
    }),
    ...(schemas.length > 0 && {
      dependentSchemas: { ...Object.fromEntries(schemas), ...dependentSchemas },
    }),
  };
}

/** OpenAPI 3.0: `nullable: true` beside a type. */
function nullable(schema: JsonSchema): JsonSchema {
  if (schema['nullable'] !== true) return schema;
  const rest: JsonSchema = without(schema, 'nullable');
  if ('const' in rest) return orNull(rest);
  const values = Array.isArray(rest.enum) ? (rest.enum as readonly JsonValue[]) : undefined;
  const known = { ...rest, ...(values && { enum: [...new Set([...values, null])] }) };
  const { type } = rest;
  if (type !== undefined) return { ...known, type: [...new Set([type, 'null'].flat())] };
  if (values) return known;
  return orNull(rest);
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] };
}
