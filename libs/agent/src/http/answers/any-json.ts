import type { FieldSchema } from './documented.decorator';

/** Any JSON: OpenAPI has no word for it that code generators take. */
export const ANY_JSON: FieldSchema = {
  anyOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
  nullable: true,
};

/** The same, of a property that may be missing. */
export function optional(schema: FieldSchema): FieldSchema {
  return { ...schema, required: false } as FieldSchema;
}

/** An object of any JSON. */
export const JSON_OBJECT: FieldSchema = { type: 'object', additionalProperties: true };
