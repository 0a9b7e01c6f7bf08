import type { JsonSchema } from '../../../tool';
import { apiAnnotations, apiBounds, apiSchema, BOUNDS, isObject, valuesOf } from './api-schema';
import {
  combine,
  isAnyObject,
  NOTHING,
  NUMBER_TEXT,
  saysWhatItIs,
  typesOf,
  withNote,
  without,
} from '../../json-schema';
import type { ApiProperty } from '../../metadata';
import { coerced } from '../type-schema';
import type { TypeSchemas } from './type-schemas.interface';

/**
 * A schema from rules and types, completed from OpenAPI metadata: an open type, values and bounds.
 * Rules take precedence, since the application enforces them.
 */
export function supplemented(schema: JsonSchema, api: ApiProperty, types: TypeSchemas): JsonSchema {
  const whole = bounded(completed(schema, api, types), api);
  if (!typesOf(whole.type).includes('array')) return listing(whole, api);
  if (typeof whole.items !== 'object') return whole;
  const { items } = api;
  const inner = isObject(items) ? items : { enum: api.enum, const: api.const };
  const { description: note, ...item } = supplemented(whole.items, inner, types);
  return { ...whole, items: withNote({ ...item, ...apiAnnotations(inner) }, note) };
}

/** Rules such as `@IsNotEmpty()` and `@IsObject()` leave the type or the properties open. */
function completed(schema: JsonSchema, api: ApiProperty, types: TypeSchemas): JsonSchema {
  if (saysWhatItIs(schema) && !isAnyObject(schema)) return schema;
  const both = combine(apiSchema({ ...api, nullable: false }, types), schema);
  return both === NOTHING ? schema : both;
}

function bounded(schema: JsonSchema, api: ApiProperty): JsonSchema {
  const known = typesOf(schema.type).flatMap((type) => BOUNDS[type] ?? []);
  const bounds = Object.entries(apiBounds(api)).filter(
    ([keyword]) => known.includes(keyword) && !(keyword === 'format' && keyword in schema),
  );
  const whole = combine(schema, Object.fromEntries(bounds));
  if (whole.format !== 'date' || !schema.examples) return whole;
  // The example and the note of a rule for dates are of date-times as well.
  const description = schema.description?.replace(' or date-time', '');
  return { ...whole, examples: ['2024-05-01'], ...(description !== undefined && { description }) };
}

/** The values of metadata, as text too if text becomes a number. */
function listing(schema: JsonSchema, api: ApiProperty): JsonSchema {
  const values = valuesOf(api);
  if (!values || schema.enum) return schema;
  const isNumberText = schema.pattern === NUMBER_TEXT;
  const both = isNumberText
    ? combine(without(schema, 'pattern'), coerced(values, Number))
    : combine(schema, values);
  return both === NOTHING ? schema : both;
}
