import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { combine, resolveRef, typesOf, unicodePattern } from '../json-schema';
import { exampleText } from './example-text';

/** What a schema asks for beyond this is more than anybody wants to read, and may be without end. */
const MAX_MEMBERS = 100;

/** Beyond this depth an example shows required members only, and then none that can be left out. */
const MAX_DEPTH = 8;

/**
 * A value that a schema accepts: the author's own example where there is one, else the plainest
 * that fits. The same schema always gives the same value.
 *
 * @example
 * exampleOf({ type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] }) // { id: 1 }
 */
export function exampleOf(schema: JsonSchema): JsonValue {
  return make(schema, schema, 0, 0);
}

function make(part: JsonSchema, root: JsonSchema, depth: number, variant: number): JsonValue {
  const schema = flattened(resolveRef(part, root), root);
  const given = [...authored(schema)];
  const own = given[variant] ?? (variant === 0 ? given[0] : undefined);
  if (own !== undefined) return own;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const beside = omitted(schema, [keyword]);
    const branch = pickBranch(branches as JsonSchema[], root, depth);
    return make(combine(beside, resolveRef(branch, root)), root, depth, variant);
  }
  switch (typeFor(schema)) {
    case 'object':
      return exampleObject(schema, root, depth);
    case 'array':
      return exampleArray(schema, root, depth);
    case 'integer':
      return exampleNumber(schema, 1, variant);
    case 'number':
      return exampleNumber(schema, 0.5, variant);
    case 'boolean':
      return variant % 2 === 0;
    case 'null':
      return null;
    default:
      return exampleText(schema, variant);
  }
}

function* authored(schema: JsonSchema): Generator<JsonValue> {
  if (schema.const !== undefined) yield schema.const as JsonValue;
  if (Array.isArray(schema.examples))
    yield* (schema.examples as JsonValue[]).filter((value) => fits(schema, value));
  if (schema.default !== undefined && schema.default !== null && fits(schema, schema.default))
    yield schema.default;
  if (schema.enum) yield* schema.enum.filter((value) => fits(schema, value));
}

/** Whether a schema's own plain keywords let a scalar pass; enough to tell good examples from bad. */
function fits(schema: JsonSchema, value: JsonValue): boolean {
  if (schema.enum && !schema.enum.some((one) => one === value) && typeof value !== 'object')
    return false;
  const types = typesOf(schema.type);
  if (
    types.length > 0 &&
    !types.includes(typeName(value)) &&
    !(typeof value === 'number' && types.includes('number'))
  )
    return false;
  if (typeof value === 'string') {
    const length = [...value].length;
    if (length < bound(schema.minLength, 0) || length > bound(schema.maxLength, Infinity))
      return false;
    const pattern = typeof schema.pattern === 'string' ? unicodePattern(schema.pattern) : undefined;
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return false;
  }
  if (typeof value === 'number') {
    if (value < bound(schema.minimum, -Infinity) || value > bound(schema.maximum, Infinity))
      return false;
    if (
      value <= bound(schema.exclusiveMinimum, -Infinity) ||
      value >= bound(schema.exclusiveMaximum, Infinity)
    )
      return false;
  }
  const refused = schema.not as JsonSchema | undefined;
  return !(refused?.enum?.some((one) => one === value) ?? false);
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function bound(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** `allOf` folded in, so that one set of keywords is left. */
function flattened(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const parts = (allOf as JsonSchema[]).map((part) => flattened(resolveRef(part, root), root));
  const properties = Object.assign(
    {},
    own.properties,
    ...parts.map((part) => part.properties),
  ) as Record<string, JsonSchema>;
  const required = [own, ...parts].flatMap((part) => part.required ?? []);
  const met = combine(own, ...parts.map((part) => omitted(part, ['properties', 'required'])));
  return {
    ...met,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** The first branch that ends; in depth, one that needs no further member. */
function pickBranch(branches: readonly JsonSchema[], root: JsonSchema, depth: number): JsonSchema {
  const flat = branches.find((branch) => resolveRef(branch, root).properties === undefined);
  return (depth >= MAX_DEPTH ? flat : undefined) ?? branches[0] ?? {};
}

function typeFor(schema: JsonSchema): string | undefined {
  const types = typesOf(schema.type);
  if (types.length > 0) return types.find((type) => type !== 'null') ?? 'null';
  if (schema.properties || schema.required) return 'object';
  if (
    schema.items !== undefined ||
    schema.prefixItems !== undefined ||
    schema.contains !== undefined
  )
    return 'array';
  if (
    [
      schema.minimum,
      schema.maximum,
      schema.multipleOf,
      schema.exclusiveMinimum,
      schema.exclusiveMaximum,
    ].some((one) => one !== undefined)
  )
    return 'number';
  return 'string';
}

function exampleObject(schema: JsonSchema, root: JsonSchema, depth: number): JsonValue {
  const required = new Set(schema.required ?? []);
  const result: Record<string, JsonValue> = {};
  const properties = Object.entries(schema.properties ?? {});
  for (const [name, property] of properties) {
    const isShown = required.has(name) || (depth === 0 && hasOwnExample(property));
    if (isShown) result[name] = make(property, root, depth + 1, 0);
  }
  for (const [name, property] of properties) {
    if (Object.keys(result).length >= bound(schema.minProperties, 0)) break;
    result[name] ??= make(property, root, depth + 1, 0);
  }
  const { additionalProperties } = schema;
  if (additionalProperties === false) return result;
  const other = typeof additionalProperties === 'object' ? additionalProperties : {};
  for (const name of required)
    if (!Object.hasOwn(result, name)) result[name] = make(other, root, depth + 1, 0);
  const least = Math.min(bound(schema.minProperties, 0), MAX_MEMBERS);
  for (let count = 1; Object.keys(result).length < least; count++)
    result[`key${count}`] ??= make(other, root, depth + 1, 0);
  return result;
}

function hasOwnExample(property: JsonSchema): boolean {
  return Array.isArray(property.examples) || property.default !== undefined;
}

function exampleArray(schema: JsonSchema, root: JsonSchema, depth: number): JsonValue {
  const fixed = (schema.prefixItems as readonly JsonSchema[] | undefined) ?? [];
  const items: JsonValue[] = fixed.map((item) => make(item, root, depth + 1, 0));
  for (const part of wantedMembers(schema)) items.push(make(part, root, depth + 1, 0));
  const least = Math.max(bound(schema.minItems, 0), fixed.length > 0 || depth >= MAX_DEPTH ? 0 : 1);
  const count = Math.min(least, bound(schema.maxItems, Infinity), MAX_MEMBERS);
  const item = typeof schema.items === 'object' ? schema.items : {};
  if (schema.items === false) return items;
  for (let variant = items.length; items.length < count; variant++)
    items.push(make(item, root, depth + 1, variant));
  return items;
}

/** What `contains` asks for; several of them stand in `allOf`. */
function wantedMembers(schema: JsonSchema): readonly JsonSchema[] {
  const unmet = (schema.allOf as readonly JsonSchema[] | undefined) ?? [];
  return [schema, ...unmet].flatMap(({ contains }) =>
    contains === undefined ? [] : [contains as JsonSchema],
  );
}

function omitted(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([one]) => !keywords.includes(one)));
}

function exampleNumber(schema: JsonSchema, step: number, variant: number): number {
  const isInteger = step === 1;
  const low = Math.max(bound(schema.minimum, -Infinity), bound(schema.exclusiveMinimum, -Infinity));
  const high = Math.min(bound(schema.maximum, Infinity), bound(schema.exclusiveMaximum, Infinity));
  const unit = typeof schema.multipleOf === 'number' ? schema.multipleOf : step;
  const candidates = [1, low, high, (low + high) / 2, 0].flatMap((near) =>
    Number.isFinite(near)
      ? [
          near,
          Math.ceil(near / unit) * unit,
          (Math.ceil(near / unit) + 1) * unit,
          Math.floor(near / unit) * unit,
          (Math.floor(near / unit) - 1) * unit,
        ]
      : [],
  );
  const good = [...new Set(candidates)].filter(
    (value) =>
      fits({ ...schema, type: undefined, enum: undefined }, value) &&
      (!isInteger || Number.isInteger(value)) &&
      (schema.multipleOf === undefined || Number.isInteger(value / unit)),
  );
  const first = good[0] ?? 1;
  const next = first + variant * unit;
  return variant === 0 || fits(schema, next)
    ? next
    : (good[variant % Math.max(good.length, 1)] ?? first);
}
