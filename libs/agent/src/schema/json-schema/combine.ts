import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';

/** Accepts no value. */
export const NOTHING: JsonSchema = { not: {} };

/** The conjunction of two values of one keyword. */
const MEETS: Readonly<Record<string, (a: never, b: never) => unknown>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
  uniqueItems: (a: boolean, b: boolean) => a || b,
  enum: (a: readonly JsonValue[], b: readonly JsonValue[]) => a.filter((one) => b.includes(one)),
};

/** Annotations, which refuse nothing: the later one wins. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
]);

/**
 * The conjunction of schemas, keyword by keyword; keywords without a common value go into `allOf`.
 */
export function combine(...schemas: readonly JsonSchema[]): JsonSchema {
  if (schemas.length === 1 && schemas[0]) return schemas[0];
  const result: Record<string, unknown> = {};
  const rest: unknown[] = [];
  for (const schema of schemas) {
    for (const keyword in schema) {
      const value = schema[keyword];
      const present = result[keyword];
      if (present === undefined || ANNOTATIONS.has(keyword)) result[keyword] = value;
      else if (keyword === 'allOf') rest.push(...(value as readonly unknown[]));
      else if (keyword === 'type') {
        const types = meetTypes(present as TypeKeyword, value as TypeKeyword);
        if (types === undefined) return NOTHING;
        result.type = types;
      } else if (keyword in MEETS) {
        result[keyword] = MEETS[keyword]?.(present as never, value as never);
        if (keyword === 'enum' && (result.enum as JsonValue[]).length === 0) return NOTHING;
      } else if (!sameJson(present, value)) rest.push({ [keyword]: value });
    }
  }
  dropWiderBounds(result);
  if (rest.length > 0) result.allOf = [...((result.allOf as unknown[] | undefined) ?? []), ...rest];
  return result;
}

/** Of an inclusive and an exclusive bound, keeps only the narrower one. */
function dropWiderBounds(schema: Record<string, unknown>): void {
  const { minimum: min, exclusiveMinimum: above, maximum: max, exclusiveMaximum: below } = schema;
  if (typeof min === 'number' && typeof above === 'number') {
    delete schema[min > above ? 'exclusiveMinimum' : 'minimum'];
  }
  if (typeof max === 'number' && typeof below === 'number') {
    delete schema[max < below ? 'exclusiveMaximum' : 'maximum'];
  }
}

type TypeKeyword = string | readonly string[];

export function typesOf(type: TypeKeyword | undefined): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

/** One type as a word, several as a list. */
function typeKeyword(types: readonly string[]): TypeKeyword {
  const [first, ...others] = [...new Set(types)];
  return first !== undefined && others.length === 0 ? first : [...new Set(types)];
}

function meetTypes(a: TypeKeyword, b: TypeKeyword): TypeKeyword | undefined {
  const left = typesOf(a);
  const right = typesOf(b);
  const met = new Set<string>();
  for (const type of left) {
    if (right.includes(type)) met.add(type);
    // Every integer is a number.
    else if (type === 'number' && right.includes('integer')) met.add('integer');
    else if (type === 'integer' && right.includes('number')) met.add('integer');
  }
  return met.size === 0 ? undefined : typeKeyword([...met]);
}

export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Keywords that refer to other schemas of the same value. */
const COMPOSING = ['$ref', 'anyOf', 'oneOf', 'allOf'];

/** Whether a schema declares its values' type, or refers to schemas that do. */
export function saysWhatItIs(schema: JsonSchema): boolean {
  return ['type', 'enum', 'const', ...COMPOSING].some((keyword) => keyword in schema);
}

/** An object of which no property is known, as `@IsObject()` makes it. */
export function isAnyObject(schema: JsonSchema): boolean {
  const inside = ['properties', 'additionalProperties', ...COMPOSING];
  return schema.type === 'object' && !inside.some((keyword) => keyword in schema);
}

/** Whether a schema has more than a description. */
export function hasKeywords(schema: JsonSchema): boolean {
  return Object.keys(schema).some((keyword) => keyword !== 'description');
}

export function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !keywords.includes(name)));
}

/** Only these keywords of a schema, as far as it has them. */
export function only(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  const present = keywords.filter((keyword) => schema[keyword] !== undefined);
  return Object.fromEntries(present.map((keyword) => [keyword, schema[keyword]]));
}

/** The schema with sentences added to its description. */
export function withNote(
  schema: JsonSchema,
  ...notes: readonly (string | undefined)[]
): JsonSchema {
  if (!notes.some(Boolean)) return schema;
  const sentences = [schema.description, ...notes]
    .filter((note) => note !== undefined && note !== '')
    .map((note) => String(note).trim().replace(/\.$/, ''));
  return { ...schema, description: [...new Set(sentences)].join('. ') };
}

/** The schema with `null` accepted too. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (acceptsNull(schema)) return schema;
  const isPlain = !['$ref', 'allOf', 'anyOf', 'oneOf', 'const', 'not'].some((one) => one in schema);
  if (!isPlain || (schema.type === undefined && !schema.enum)) {
    const notes = ['title', 'description', 'default'];
    return { ...only(schema, ...notes), anyOf: [without(schema, ...notes), { type: 'null' }] };
  }
  return {
    ...schema,
    ...(schema.type !== undefined && { type: typeKeyword([...typesOf(schema.type), 'null']) }),
    ...(schema.enum && { enum: [...new Set([...schema.enum, null])] }),
  };
}

/** Whether a schema's own keywords accept `null`. References are taken to refuse it. */
export function acceptsNull(schema: JsonSchema | boolean): boolean {
  if (typeof schema === 'boolean') return schema;
  if (schema.type !== undefined && !typesOf(schema.type).includes('null')) return false;
  if (schema.enum) return schema.enum.includes(null);
  if (schema.type !== undefined) return true;
  if ('$ref' in schema || 'not' in schema || 'const' in schema) return schema.const === null;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) return parts.some((part) => acceptsNull(part as JsonSchema));
  }
  const all = schema.allOf;
  return !Array.isArray(all) || all.every((part) => acceptsNull(part as JsonSchema));
}
