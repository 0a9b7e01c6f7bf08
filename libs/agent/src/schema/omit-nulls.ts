import { isJsonObject, type JsonValue } from '../message';
import type { JsonSchema } from '../tool';
import { acceptsNull } from './combine';
import { resolveRef } from './resolve-ref';

/**
 * The value without the nulls that only mean "not given": those at optional properties whose schema
 * knows no null. Models write them where they leave something out.
 */
export function omitNulls(value: JsonValue, schema: JsonSchema): JsonValue {
  return holdsNull(value) ? omit(value, schema, schema) : value;
}

function holdsNull(value: JsonValue): boolean {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).some(holdsNull);
}

function omit(value: JsonValue, part: JsonSchema, root: JsonSchema): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  const schema = branchFor(value, resolveRef(part, root), root);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (typeof items !== 'object') return value as readonly JsonValue[];
    return (value as readonly JsonValue[]).map((item) => omit(item, items, root));
  }
  const kept: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value)) {
    const property = propertyOf(schema, key);
    if (property === undefined) kept[key] = member;
    else if (
      member !== null ||
      schema.required?.includes(key) ||
      acceptsNull(resolveRef(property, root))
    )
      kept[key] = omit(member, property, root);
  }
  return kept;
}

function propertyOf(schema: JsonSchema, key: string): JsonSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return undefined;
}

/** Of several schemas, the first object that names all the keys and whose tags agree. */
function branchFor(value: JsonValue, schema: JsonSchema, root: JsonSchema): JsonSchema {
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches)) return schema;
  const resolved = branches.map((branch) => resolveRef(branch as JsonSchema, root));
  if (Array.isArray(value)) return resolved.find(({ items }) => items !== undefined) ?? schema;
  if (!isJsonObject(value)) return schema;
  const found = resolved.find(
    ({ properties }) =>
      properties !== undefined &&
      Object.entries(value).every(([key, member]) => {
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return property !== undefined && (property.enum?.includes(member) ?? true);
      }),
  );
  return found ?? schema;
}
