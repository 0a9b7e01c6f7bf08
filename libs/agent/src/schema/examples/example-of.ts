import { withFallback } from '../../internal';
import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { SchemaValidator } from '../arguments';
import { combine, resolveRef, typesOf, without, unicodePattern } from '../json-schema';
import { textMatching } from './text-matching';

const FORMATS: Readonly<Record<string, string>> = {
  date: '2024-05-01',
  'date-time': '2024-05-01T10:30:00Z',
  time: '10:30:00Z',
  duration: 'P1D',
  email: 'jane@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  'json-pointer': '/name',
  regex: '^a$',
  byte: 'aGVsbG8=',
};

/** Longer examples are cut. */
const MAX_CHARS = 10_000;

/** Larger examples are cut: a schema may ask for members without end. */
const MAX_MEMBERS = 100;

/** Below this depth, lists are empty where they may be, and branches without members come first. */
const MAX_DEPTH = 8;

/** Below this depth, lists and objects are empty whatever they require. */
const DEEPEST = 32;

/** The values of one example, after which it is as short as it can be. */
const MAX_VALUES = 1_000;

/** The place of a value in an example. */
interface Place {
  readonly root: JsonSchema;
  readonly depth: number;
  /** The references on the way to it: one that comes again need not end. */
  readonly refs: readonly string[];
  /** The values that are left, for all places of the example. */
  readonly budget: { left: number };
}

/**
 * A value that a schema accepts: the author's example, else a plain one. The same schema always
 * gives the same value. A pattern that is hard to satisfy gets other text.
 *
 * @example
 * exampleOf({ type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] }) // { id: 1 }
 */
export function exampleOf(schema: JsonSchema): JsonValue {
  return make(schema, { root: schema, depth: 0, refs: ['#'], budget: { left: MAX_VALUES } }, 0);
}

function make(part: JsonSchema, at: Place, variant: number): JsonValue {
  const { root, refs, budget } = at;
  budget.left -= 1;
  const schema = flattened(resolveRef(part, root), root);
  const fits = checkOf(schema, root);
  const own = authored(schema, fits)[variant];
  if (own !== undefined) return own;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const beside = { ...at, refs: [...refs, ...refsOf(part)] };
    const branch = pickBranch(branches as JsonSchema[], beside);
    if (isEndless(part, at) && needsEndless(branch, beside)) return {};
    const both = combine(without(schema, keyword), resolveRef(branch, root));
    return make(both, { ...beside, refs: [...beside.refs, ...refsOf(branch)] }, variant);
  }
  const inside = { ...at, depth: at.depth + 1, refs: [...refs, ...refsOf(part)] };
  switch (typeFor(schema)) {
    case 'object':
      // Classes that require one another have no value that ends.
      return isEndless(part, at) || isSpent(at) ? {} : exampleObject(schema, inside);
    case 'array':
      return isSpent(at) ? [] : exampleArray(schema, inside);
    case 'integer':
    case 'number':
      return exampleNumber(schema, fits, variant);
    case 'boolean':
      return variant % 2 === 0;
    case 'null':
      return null;
    default:
      return exampleText(schema, variant);
  }
}

/** The references that a schema resolves to. */
function refsOf({ $ref, allOf }: JsonSchema): readonly string[] {
  const parts = Array.isArray(allOf) ? (allOf as JsonSchema[]) : [];
  return [...($ref === undefined ? [] : [$ref]), ...parts.flatMap(refsOf)];
}

/** Whether a schema refers to an enclosing one, or exceeds the number of references. */
function isEndless(schema: JsonSchema, { refs, budget }: Place): boolean {
  return refsOf(schema).some((ref) => refs.includes(ref) || budget.left <= 0);
}

/** Whether the rest of the example stays empty: lists that require lists of themselves never end. */
function isSpent({ budget, depth }: Place): boolean {
  return budget.left <= 0 || depth > DEEPEST;
}

/** Whether a schema, or a member that it requires, is endless. */
function needsEndless(part: JsonSchema, at: Place): boolean {
  if (isEndless(part, at)) return true;
  const { properties = {}, required = [] } = flattened(resolveRef(part, at.root), at.root);
  return Object.entries(properties).some(
    ([name, property]) =>
      required.includes(name) &&
      (property.$ref === undefined ? needsEndless(property, at) : isEndless(property, at)),
  );
}

/** The values that the schema itself names. */
function authored(schema: JsonSchema, fits: Fits): readonly JsonValue[] {
  const { const: only, examples, default: initial, enum: values = [] } = schema;
  return [
    ...(only === undefined ? [] : [only as JsonValue]),
    ...(Array.isArray(examples) ? (examples as JsonValue[]) : []),
    ...(initial === undefined || initial === null ? [] : [initial]),
    ...values,
  ].filter(fits);
}

type Fits = (value: JsonValue) => boolean;

function checkOf(schema: JsonSchema, { $defs, definitions }: JsonSchema): Fits {
  const validator = new SchemaValidator({ ...schema, $defs, definitions });
  // A reference to another part of the root leads nowhere from here.
  return (value) => withFallback(() => validator.check(value).length === 0, true);
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
  const met = combine(own, ...parts.map((part) => without(part, 'properties', 'required')));
  return {
    ...met,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** The first branch that ends; in depth, one that needs no further member. */
function pickBranch(branches: readonly JsonSchema[], at: Place): JsonSchema {
  const flat = branches.find((branch) => resolveRef(branch, at.root).properties === undefined);
  const ending = branches.find((branch) => !needsEndless(branch, at));
  return (at.depth >= MAX_DEPTH ? flat : undefined) ?? ending ?? branches[0] ?? {};
}

/** Keywords that imply the type of a schema without `type`. */
const IMPLYING = {
  object: ['properties', 'required', 'minProperties', 'additionalProperties'],
  array: ['items', 'prefixItems', 'contains', 'minItems'],
  number: ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'],
};

function typeFor(schema: JsonSchema): string {
  const types = typesOf(schema.type);
  if (types.length > 0) return types.find((type) => type !== 'null') ?? 'null';
  const implied = Object.entries(IMPLYING).find(([, all]) => all.some((one) => one in schema));
  return implied?.[0] ?? 'string';
}

/** @param inside the place of its members */
function exampleObject(schema: JsonSchema, inside: Place): JsonValue {
  const required = new Set(schema.required ?? []);
  const result: Record<string, JsonValue> = {};
  const properties = Object.entries(schema.properties ?? {});
  for (const [name, property] of properties) {
    const isShown = required.has(name) || (inside.depth === 1 && hasOwnExample(property));
    if (isShown) result[name] = make(property, inside, 0);
  }
  for (const [name, property] of properties) {
    if (Object.keys(result).length >= bound(schema.minProperties, 0)) break;
    result[name] ??= make(property, inside, 0);
  }
  const { additionalProperties } = schema;
  if (additionalProperties === false) return result;
  const other = typeof additionalProperties === 'object' ? additionalProperties : {};
  for (const name of required)
    if (!Object.hasOwn(result, name)) result[name] = make(other, inside, 0);
  const least = Math.min(bound(schema.minProperties, 0), MAX_MEMBERS);
  for (let count = 1; Object.keys(result).length < least; count++)
    result[`key${count}`] ??= make(other, inside, 0);
  return result;
}

function hasOwnExample(property: JsonSchema): boolean {
  return Array.isArray(property.examples) || property.default !== undefined;
}

/** @param inside the place of its items */
function exampleArray(schema: JsonSchema, inside: Place): JsonValue {
  const fixed = (schema.prefixItems as readonly JsonSchema[] | undefined) ?? [];
  const items: JsonValue[] = fixed.map((item) => make(item, inside, 0));
  for (const part of wantedMembers(schema)) items.push(make(part, inside, 0));
  if (schema.items === false) return items;
  const item = typeof schema.items === 'object' ? schema.items : {};
  const isShort = fixed.length > 0 || inside.depth > MAX_DEPTH || isEndless(item, inside);
  const least = Math.max(bound(schema.minItems, 0), isShort ? 0 : 1);
  const count = Math.min(least, bound(schema.maxItems, Infinity), MAX_MEMBERS);
  for (let variant = items.length; items.length < count; variant++)
    items.push(make(item, inside, variant));
  return items;
}

/** The schemas of `contains`; further ones stand in `allOf`. */
function wantedMembers(schema: JsonSchema): readonly JsonSchema[] {
  const unmet = (schema.allOf as readonly JsonSchema[] | undefined) ?? [];
  return [schema, ...unmet].flatMap(({ contains }) =>
    contains === undefined ? [] : [contains as JsonSchema],
  );
}

function exampleNumber(schema: JsonSchema, fits: Fits, variant: number): number {
  const step = bound(schema.multipleOf, typesOf(schema.type).includes('number') ? 0.5 : 1);
  const low = Math.max(bound(schema.minimum, -Infinity), bound(schema.exclusiveMinimum, -Infinity));
  const high = Math.min(bound(schema.maximum, Infinity), bound(schema.exclusiveMaximum, Infinity));
  const good = [1, low, high, (low + high) / 2, 0].filter(Number.isFinite).flatMap((near) => {
    const multiple = Math.ceil(near / step) * step;
    return [near, multiple, multiple + step, multiple - step].filter(fits);
  });
  const first = good[0] ?? 1;
  const next = first + variant * step;
  return fits(next) ? next : (good[variant % good.length] ?? first);
}

/** Text that fits a schema's format, pattern and length. */
function exampleText(schema: JsonSchema, variant: number): string {
  const { minLength = 0, maxLength = Infinity, format = '', pattern, not } = schema;
  const known = Object.hasOwn(FORMATS, String(format)) ? FORMATS[String(format)] : undefined;
  if (known !== undefined) return known;
  const min = Math.min(Number(minLength), MAX_CHARS);
  const max = Number(maxLength);
  const found =
    typeof pattern === 'string' ? textMatching(unicodePattern(pattern) ?? '', min, max) : undefined;
  if (found !== undefined) return found;
  const plain = variant === 0 ? 'text' : `text${variant + 1}`;
  const text = (not as JsonSchema | undefined)?.enum?.includes(plain) ? `${plain}x` : plain;
  return text.padEnd(min, text).slice(0, max);
}
