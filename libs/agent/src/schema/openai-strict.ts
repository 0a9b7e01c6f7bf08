import type { JsonSchema } from '../tool';
import { acceptsNull, nullable, typesOf, withNote } from './combine';
import { mapSchemas } from './map-schemas';
import { resolveRef } from './resolve-ref';

/** A schema that OpenAI's strict mode takes, or why there is none that means the same. */
export type StrictSchema = { readonly schema: JsonSchema } | { readonly reason: string };

// Limits as OpenAI documents them for structured outputs.
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_ENUM_VALUES = 1_000;
const MAX_NAME_CHARS = 120_000;

const KEYWORDS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'pattern',
  'format',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
]);

/** Annotations that say nothing of what is valid and can be left out. */
const DROPPED: ReadonlySet<string> = new Set([
  'default',
  'examples',
  'example',
  'deprecated',
  '$schema',
  '$id',
  '$comment',
  'readOnly',
  'writeOnly',
]);

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

/**
 * Brings a tool's schema into the form of OpenAI's strict mode: every property required, what may be
 * missing nullable instead (the boundary takes `null` there for "not given"), nothing but supported
 * keywords.
 *
 * @example
 * const strict = strictSchemaOf(definition.input_schema);
 * const tool = 'schema' in strict ? { strict: true, parameters: strict.schema } : { parameters: definition.input_schema };
 */
export function strictSchemaOf(schema: JsonSchema): StrictSchema {
  const tally = { properties: 0, enumValues: 0, nameChars: 0 };
  try {
    if (schema.type !== 'object' || schema.anyOf !== undefined)
      throw new Ineligible('', 'its root is no plain object');
    const strict = strictPart(schema, schema, '', 0, tally);
    if (tally.properties > MAX_PROPERTIES)
      throw new Ineligible('', `it has more than ${MAX_PROPERTIES} properties`);
    if (tally.enumValues > MAX_ENUM_VALUES)
      throw new Ineligible('', `it has more than ${MAX_ENUM_VALUES} enum values`);
    if (tally.nameChars > MAX_NAME_CHARS)
      throw new Ineligible(
        '',
        `its names and enum values are longer than ${MAX_NAME_CHARS} characters`,
      );
    return { schema: strict };
  } catch (error) {
    if (!(error instanceof Ineligible)) throw error;
    return { reason: error.place === '' ? error.message : `${error.place}: ${error.message}` };
  }
}

class Ineligible extends Error {
  constructor(
    readonly place: string,
    message: string,
  ) {
    super(message);
  }
}

interface Tally {
  properties: number;
  enumValues: number;
  nameChars: number;
}

function strictPart(
  part: JsonSchema,
  root: JsonSchema,
  place: string,
  depth: number,
  tally: Tally,
): JsonSchema {
  const schema = lengthInWords(withoutAnnotations(part));
  for (const keyword of Object.keys(schema))
    if (!KEYWORDS.has(keyword)) throw new Ineligible(place, `strict mode knows no "${keyword}"`);
  if (
    schema.type === undefined &&
    !schema.enum &&
    !schema.anyOf &&
    !schema.$ref &&
    schema.const === undefined
  )
    throw new Ineligible(place, 'any value would do, and strict mode wants a type');
  if (schema.format !== undefined && !FORMATS.has(schema.format))
    throw new Ineligible(place, `strict mode knows no format ${JSON.stringify(schema.format)}`);
  if (typeof schema.pattern === 'string' && /\(\?[=!<]/.test(schema.pattern))
    throw new Ineligible(place, 'strict mode knows no look-around in patterns');
  if (typesOf(schema.type).includes('array') && typeof schema.items !== 'object')
    throw new Ineligible(place, 'a list of anything, and strict mode wants the type of its items');
  tally.enumValues += schema.enum?.length ?? 0;
  for (const value of schema.enum ?? []) tally.nameChars += JSON.stringify(value).length;
  const shaped = typesOf(schema.type).includes('object')
    ? strictObject(schema, root, place, tally)
    : schema;
  const inner = depth + (shaped.properties || shaped.items ? 1 : 0);
  if (inner > MAX_DEPTH)
    throw new Ineligible(place, `it is nested deeper than ${MAX_DEPTH} levels`);
  const names = new Map(Object.entries(shaped.properties ?? {}).map(([name, one]) => [one, name]));
  return mapSchemas(shaped, (one) => {
    const name = names.get(one);
    return strictPart(one, root, name === undefined ? place : `${place}/${name}`, inner, tally);
  });
}

function strictObject(
  schema: JsonSchema,
  root: JsonSchema,
  place: string,
  tally: Tally,
): JsonSchema {
  if (schema.additionalProperties !== false)
    throw new Ineligible(place, 'its keys are not known beforehand');
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {});
  tally.properties += entries.length;
  for (const [name] of entries) tally.nameChars += name.length;
  return {
    ...schema,
    properties: Object.fromEntries(
      entries.map(([name, property]) => {
        const isNullable = required.has(name) || acceptsNull(resolveRef(property, root));
        return [name, isNullable ? property : nullable(withoutAnnotations(property))];
      }),
    ),
    required: entries.map(([name]) => name),
  };
}

function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !DROPPED.has(keyword)));
}

/** Strict mode does not know lengths; the model reads them, and the boundary checks them. */
function lengthInWords(schema: JsonSchema): JsonSchema {
  const { minLength, maxLength, ...rest } = schema;
  return withNote(
    rest,
    typeof minLength === 'number' ? `at least ${minLength} characters` : undefined,
    typeof maxLength === 'number' ? `at most ${maxLength} characters` : undefined,
  );
}
