import type { JsonSchema } from '../tool';
import { nullable } from './combine';
import type { ApiProperty } from './metadata/swagger.metadata';
import { enumSchema, enumValues } from './rules';

/** Keywords of OpenAPI that mean the same in JSON Schema. */
const SHARED = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'additionalProperties',
] as const;

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'null',
]);

/** Description, example and default: what OpenAPI metadata adds to any schema. */
export function apiAnnotations(api: ApiProperty | undefined): JsonSchema {
  if (!api) return {};
  const examples =
    api.example !== undefined
      ? [api.example]
      : Array.isArray(api.examples)
        ? (api.examples as unknown[])
        : undefined;
  return {
    ...(typeof api.description === 'string' &&
      api.description !== '' && { description: api.description }),
    ...(api.default !== undefined && { default: api.default as JsonSchema['default'] }),
    ...(examples && { examples }),
    ...(api.deprecated === true && { deprecated: true }),
  };
}

/** The class or primitive that OpenAPI metadata names, and whether a list of it is meant. */
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

/**
 * The whole schema that OpenAPI metadata gives a property.
 *
 * @param schemaOfType makes the schema of a class or primitive
 */
export function apiSchema(
  api: ApiProperty,
  schemaOfType: (type: unknown) => JsonSchema,
): JsonSchema {
  const { type, isArray } = apiType(api);
  const keywords: Record<string, unknown> = {};
  for (const keyword of SHARED) if (api[keyword] !== undefined) keywords[keyword] = api[keyword];
  bound(keywords, api, 'minimum', 'exclusiveMinimum');
  bound(keywords, api, 'maximum', 'exclusiveMaximum');
  const listed = isArray || type === 'array' || type === Array;
  const items = isObject(api.items) ? apiSchema(api.items, schemaOfType) : undefined;
  const one: JsonSchema =
    api.enum !== undefined
      ? enumSchema(enumValues(api.enum))
      : typeof type === 'string'
        ? TYPES.has(type) && type !== 'array'
          ? { type }
          : {}
        : type === Array
          ? {}
          : schemaOfType(type);
  const schema: JsonSchema = listed
    ? { ...keywords, type: 'array', items: items ?? one }
    : { ...one, ...nested(api, schemaOfType), ...keywords };
  return api.nullable === true ? nullable(schema) : schema;
}

/** OpenAPI 3.0 writes `exclusiveMinimum: true` beside the bound. */
function bound(
  keywords: Record<string, unknown>,
  api: ApiProperty,
  inclusive: string,
  exclusive: string,
): void {
  if (typeof api[exclusive] === 'number') keywords[exclusive] = api[exclusive];
  else if (api[exclusive] === true) {
    keywords[exclusive] = keywords[inclusive];
    delete keywords[inclusive];
  }
}

function nested(api: ApiProperty, schemaOfType: (type: unknown) => JsonSchema): JsonSchema {
  if (!isObject(api.properties)) return {};
  const properties = Object.entries(api.properties).map(
    ([name, property]) => [name, apiSchema(property as ApiProperty, schemaOfType)] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(Array.isArray(api.required) && { required: api.required as string[] }),
    additionalProperties: api.additionalProperties === true,
  };
}

function isObject(value: unknown): value is ApiProperty {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
