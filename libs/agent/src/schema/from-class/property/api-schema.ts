import type { JsonValue } from '../../../message';
import type { JsonSchema } from '../../../tool';
import {
  composed,
  type Direction,
  fitsForm,
  hasKeywords,
  nullable,
  only,
  TYPES,
  united,
  withNumericBounds,
  withoutSafeBounds,
} from '../../json-schema';
import { type ApiProperty, asJson, isClass } from '../../metadata';
import { enumSchema, enumValues, jsonValues } from '../../rules';
import { isSchemaType, type SchemaSource, type SchemaType } from '../schema-source';
import type { Discriminator, TypeSchemas } from './type-schemas.interface';

const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The bounds of each type, with the same meaning in OpenAPI and JSON Schema. */
export const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  number: NUMBERS,
  integer: NUMBERS,
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'maxProperties'],
};

const KEYWORDS: readonly string[] = [...new Set(Object.values(BOUNDS).flat())];

/** The length of an example, in characters of JSON, above which it is left out: every call of a model carries it. */
const LONGEST_EXAMPLE = 1_000;

/** Whether an example is informative: neither null, which often means none, nor a whole file. */
function isInformative(example: JsonValue | undefined): example is JsonValue {
  if (example === undefined || example === null) return false;
  return JSON.stringify(example).length <= LONGEST_EXAMPLE;
}

/** The annotations of OpenAPI metadata: description, examples, default and the like. */
export function apiAnnotations(api: ApiProperty | undefined): JsonSchema {
  if (!api) return {};
  const shown =
    api.example !== undefined
      ? [api.example]
      : Array.isArray(api.examples)
        ? (api.examples as unknown[])
        : [];
  const examples = shown.map((one) => asJson(one)).filter(isInformative);
  // The compiler plugin repeats the initialiser, which may make any object.
  const fallback = asJson(api.default);
  // A template literal over several lines has blanks around it.
  const description = typeof api.description === 'string' ? api.description.trim() : '';
  return {
    ...(description !== '' && { description }),
    ...(fallback !== undefined && { default: fallback }),
    ...(examples.length > 0 && { examples }),
    ...(api.deprecated === true && { deprecated: true }),
    // OpenAPI's hint that a value is not to be shown.
    ...((api.writeOnly === true || api.format === 'password') && { writeOnly: true }),
  };
}

/** The class or primitive of OpenAPI metadata, and whether it is a list. */
export function apiType(api: ApiProperty | undefined): { type: unknown; isArray: boolean } {
  if (!api) return { type: undefined, isArray: false };
  let type: unknown = api.type;
  let isArray = api.isArray === true;
  // The compiler plugin and circular types wrap the class in an arrow function.
  if (typeof type === 'function' && type.prototype === undefined && type !== BigInt)
    type = (type as () => unknown)();
  if (Array.isArray(type)) {
    isArray = true;
    type = (type as unknown[])[0];
  }
  return { type, isArray };
}

/** The type of OpenAPI metadata as a schema's source: a class, a primitive, or a list of one. */
export function apiSourceOf(api: ApiProperty): SchemaSource | undefined {
  const { type, isArray } = apiType(api);
  if (type === 'array') return [{}];
  let one: JsonSchema | SchemaType | undefined;
  if (typeof type === 'string') one = TYPES.has(type) ? { type } : {};
  else if (isSchemaType(type) && type !== Object) one = type;
  return one !== undefined && isArray ? [one] : one;
}

/** Whether OpenAPI metadata has a type or values. */
export function isDescribed(api: ApiProperty): boolean {
  return (api.type !== undefined || api.enum !== undefined) && api.type !== Map && api.type !== Set;
}

/** The whole schema of a property, or an answer, from OpenAPI metadata. */
export function apiSchema(api: ApiProperty, types: TypeSchemas): JsonSchema {
  const { type, isArray } = apiType(api);
  const part = (inner: ApiProperty): JsonSchema => ({
    ...apiSchema(inner, types),
    ...apiAnnotations(inner),
  });
  const keywords = apiBounds(api);
  const isListed = isArray || type === 'array' || type === Array;
  const one = valuesOf(api) ?? typed(type, api, part, types);
  const item = isObject(api.items) ? part(api.items) : (one ?? types.typeSchema(type));
  const schema: JsonSchema = isListed
    ? { ...keywords, type: 'array', items: item }
    : {
        ...united(one ?? types.typeSchema(type), inside(api, part, types.direction)),
        ...keywords,
      };
  return api.nullable === true ? nullable(schema) : schema;
}

/** The bounds of OpenAPI metadata, for any type. */
export function apiBounds(api: ApiProperty): JsonSchema {
  const bounds = withNumericBounds(only(api as JsonSchema, ...KEYWORDS));
  // Metadata may be invalid as JSON Schema, such as bounds as text.
  const fitting = Object.entries(bounds).filter(([keyword, value]) => fitsForm(keyword, value));
  return withoutSafeBounds(Object.fromEntries(fitting));
}

/** The enum or constant of OpenAPI metadata; `undefined` without one. */
export function valuesOf(api: ApiProperty): JsonSchema | undefined {
  if (api.enum === undefined)
    return api.const === undefined ? undefined : enumSchema([api.const as JsonValue]);
  const values = documentedValues(api.enum);
  return values.length === 0 ? undefined : enumSchema(values);
}

/** No validator compares with these, so a list of two enums stands for the values of both. */
function documentedValues(source: unknown): readonly JsonValue[] {
  if (typeof source === 'function') return documentedValues((source as () => unknown)());
  if (!Array.isArray(source)) return enumValues(source);
  const each = (one: unknown): readonly unknown[] => (isObject(one) ? enumValues(one) : [one]);
  return [...new Set(jsonValues((source as readonly unknown[]).flatMap(each)))];
}

/** The schema of a union or a type's name; `undefined` for a class. */
function typed(
  type: unknown,
  api: ApiProperty,
  part: (inner: ApiProperty) => JsonSchema,
  types: TypeSchemas,
): JsonSchema | undefined {
  const branches = api.oneOf ?? api.anyOf ?? api.allOf;
  if (Array.isArray(branches)) {
    const tagged = discriminatorOf(api, branches);
    if (tagged) return types.unionSchema(tagged);
    const parts = (branches as unknown[]).map((branch) => (isObject(branch) ? part(branch) : {}));
    // Class schemas refuse unknown properties, so no value fits several.
    if (api.allOf !== undefined)
      return parts.length === 1 ? parts[0] : (branches === api.allOf && composed(parts)) || {};
    return parts.some(hasKeywords) ? { anyOf: parts } : {};
  }
  if (Array.isArray(type)) return part({ type });
  if (typeof type === 'string') return TYPES.has(type) && type !== 'array' ? { type } : {};
  if (isObject(type)) return inlineObject(type, part);
  return type === Array ? {} : undefined;
}

/** An inline object type, which swagger's compiler plugin declares as the metadata of its properties. */
function inlineObject(
  properties: ApiProperty,
  part: (inner: ApiProperty) => JsonSchema,
): JsonSchema {
  const members = Object.entries(properties);
  if (members.length === 0 || !members.every(([, member]) => isObject(member))) return {};
  const required = members.flatMap(([name, member]) =>
    isObject(member) && member.required === true ? [name] : [],
  );
  return part({ properties, required });
}

/** The discriminator of a union, if OpenAPI metadata maps all its classes. */
function discriminatorOf(
  { discriminator }: ApiProperty,
  branches: readonly unknown[],
): Discriminator | undefined {
  if (!isObject(discriminator) || !isObject(discriminator.mapping)) return undefined;
  const { propertyName: property, mapping } = discriminator;
  const classes = branches.map((branch) => (isObject(branch) ? branch.type : undefined));
  const subTypes = Object.entries(mapping).flatMap(([name, path]) => {
    const value = classes.filter(isClass).find((one) => one.name === String(path).split('/').pop());
    return value ? [{ name, value: value as Discriminator['subTypes'][number]['value'] }] : [];
  });
  const isWhole = classes.every((one) => subTypes.some(({ value }) => value === one));
  return typeof property === 'string' && isWhole ? { property, subTypes } : undefined;
}

/** `properties` and `additionalProperties` of metadata. */
function inside(
  api: ApiProperty,
  part: (inner: ApiProperty) => JsonSchema,
  direction: Direction,
): JsonSchema {
  const { properties, additionalProperties: others } = api;
  if (!isObject(properties) && others === undefined) return {};
  const isOpen = direction === 'output' ? others !== false : others === true;
  const additionalProperties = isObject(others) ? part(others) : isOpen;
  if (!isObject(properties)) return { type: 'object', additionalProperties };
  const named = Object.entries(properties).map(
    ([name, property]) => [name, isObject(property) ? part(property) : {}] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    ...(Array.isArray(api.required) && { required: api.required as string[] }),
    additionalProperties,
  };
}

export function isObject(value: unknown): value is ApiProperty {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
