import type { FieldSchema } from './documented.decorator';

/** Any JSON: OpenAPI has no type for it that code generators accept. */
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

/** A field that may be missing. */
export function optional(schema: FieldSchema): FieldSchema {
  return { ...schema, required: false } as FieldSchema;
}

/** A time; ISO 8601. */
export const TIME: FieldSchema = { type: String, format: 'date-time' };

/** A text that may be missing. */
export const OPTIONAL_TEXT: FieldSchema = { type: String, required: false };

/** An object with any JSON values. */
export const JSON_OBJECT: FieldSchema = { type: 'object', additionalProperties: true };

/** A list of objects with any JSON values. */
export const JSON_OBJECTS = {
  type: 'array',
  items: { type: 'object', additionalProperties: true },
} as const;
