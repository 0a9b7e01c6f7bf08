import { isJsonObject, type JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { acceptsNull, resolveRef } from '../json-schema';
import { MAX_DEPTH } from './parse-arguments';

/**
 * The value without the nulls that mean "not given": those of optional properties whose schema is
 * not nullable. Models write them for omitted properties. Values nested deeper than arguments may
 * be stay unchanged.
 */
export function omitNulls(value: JsonValue, schema: JsonSchema): JsonValue {
  return holdsNull(value, MAX_DEPTH) ? omit(value, schema, schema, MAX_DEPTH) : value;
}

function holdsNull(value: JsonValue, levels: number): boolean {
  if (value === null) return true;
  if (typeof value !== 'object' || levels === 0) return false;
  return Object.values(value).some((member: JsonValue) => holdsNull(member, levels - 1));
}

function omit(value: JsonValue, part: JsonSchema, root: JsonSchema, levels: number): JsonValue {
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  const views = viewsOf(value, part, root);
  const inside = (member: JsonValue, schema: JsonSchema | undefined): JsonValue =>
    schema === undefined ? member : omit(member, schema, root, levels - 1);
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item, index) => inside(item, itemOf(views, index)));
  // From entries, for an assignment to `__proto__` would set the prototype.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === null && isOptional(views, key, root)
        ? []
        : [[key, inside(member, memberOf(views, key))]],
    ),
  );
}

/** The most schemas examined for one value: references may fan out without end. */
const MAX_VIEWS = 256;

/** The schemas of a value: its own, the parts of `allOf`, and the matching branch. */
function viewsOf(
  value: JsonValue,
  part: JsonSchema,
  root: JsonSchema,
  budget = { left: MAX_VIEWS },
): readonly JsonSchema[] {
  const schema = resolveRef(part, root);
  const views = [schema];
  if (--budget.left <= 0) return views;
  for (const inner of partsOf(schema.allOf)) views.push(...viewsOf(value, inner, root, budget));
  for (const branches of [schema.anyOf, schema.oneOf]) {
    const meant = partsOf(branches)
      .map((branch) => viewsOf(value, branch, root, budget))
      .filter((inner) => isMeant(value, inner, schema));
    views.push(...(meant.find((inner) => isComplete(value, inner)) ?? meant[0] ?? []));
  }
  return views;
}

function partsOf(keyword: unknown): readonly JsonSchema[] {
  return Array.isArray(keyword) ? (keyword as readonly JsonSchema[]).filter(isJsonObject) : [];
}

/** Whether a branch knows all members of a value, and its tags agree. */
function isMeant(value: JsonValue, views: readonly JsonSchema[], holder: JsonSchema): boolean {
  if (!isJsonObject(value))
    return views.some(({ items, prefixItems }) => items !== undefined || prefixItems !== undefined);
  return (
    views.some(({ properties }) => properties !== undefined) &&
    Object.entries(value).every(([key, member]) => {
      const property = propertyOf(views, key);
      if (property === undefined) return propertyOf([holder], key) !== undefined;
      return member === null || hasTag(property, member);
    })
  );
}

/** Whether all required properties of a branch are present. */
function isComplete(value: JsonValue, views: readonly JsonSchema[]): boolean {
  return (
    !isJsonObject(value) ||
    views.every(({ required = [] }) => required.every((name) => Object.hasOwn(value, name)))
  );
}

function hasTag(property: JsonSchema, member: JsonValue): boolean {
  if (property.const !== undefined) return property.const === member;
  return property.enum?.includes(member) ?? true;
}

function isOptional(views: readonly JsonSchema[], key: string, root: JsonSchema): boolean {
  const property = propertyOf(views, key);
  return (
    property !== undefined &&
    !views.some(({ required }) => required?.includes(key)) &&
    !acceptsNull(resolveRef(property, root))
  );
}

function propertyOf(views: readonly JsonSchema[], key: string): JsonSchema | undefined {
  const view = views.find(({ properties }) => properties && Object.hasOwn(properties, key));
  return view?.properties?.[key];
}

function memberOf(views: readonly JsonSchema[], key: string): JsonSchema | undefined {
  const open = views.find(({ additionalProperties }) => isJsonObject(additionalProperties));
  return propertyOf(views, key) ?? (open?.additionalProperties as JsonSchema | undefined);
}

function itemOf(views: readonly JsonSchema[], index: number): JsonSchema | undefined {
  for (const { prefixItems, items } of views) {
    const fixed = partsOf(prefixItems)[index];
    if (fixed) return fixed;
    if (typeof items === 'object') return items;
  }
  return undefined;
}
