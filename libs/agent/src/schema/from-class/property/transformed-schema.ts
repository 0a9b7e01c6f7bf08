import type { JsonSchema } from '../../../tool';
import { apiSchema } from './api-schema';
import { isClass, namedType } from '../../metadata';
import { propertiesOf, type PropertyFacts } from '../class-properties';
import { hasKeywords, typesOf, withNote } from '../../json-schema';
import type { TypeSchemas } from './type-schemas.interface';

/**
 * The schema before a `@Transform`, from `@ApiProperty`: `{ type: String }` beside
 * `@Transform(({ value }) => JSON.parse(value))`.
 */
export function wireSchema(
  { api, transform }: PropertyFacts,
  made: JsonSchema,
  types: TypeSchemas,
): JsonSchema | undefined {
  const wire = api && apiSchema(api, types);
  const [type = ''] = typesOf(wire?.type);
  const madeTypes = typesOf(made.type);
  if (!wire || !SCALARS.includes(type) || madeTypes.includes(type)) return undefined;
  if (madeTypes.includes('integer') && type === 'number') return undefined;
  const named = transform.type && namedType(transform.type);
  const names = isClass(named)
    ? propertiesOf(named, 'input', []).map((property) => property.transform.name)
    : [];
  const parts = names.length > 0 ? ` with ${names.join(', ')}` : '';
  if (type !== 'string' || !isClass(named)) return wire;
  const what = madeTypes.includes('array') ? 'a list of objects' : 'an object';
  return withNote(wire, `JSON text of ${what}${parts}`);
}

const SCALARS: readonly string[] = ['string', 'number', 'integer', 'boolean'];

/**
 * The schema before a `@Transform` without `@ApiProperty`: text is accepted too, since many convert
 * from text.
 */
export function convertible(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema.type);
  if (!hasKeywords(schema) || types.includes('string')) return schema;
  if (types.length > 0 && !schema.enum) return { ...schema, type: [...types, 'string'] };
  return schema.enum ? schema : { anyOf: [schema, { type: 'string' }] };
}
