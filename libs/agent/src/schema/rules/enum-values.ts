import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { NOTHING } from '../json-schema';

/**
 * The values of an enum, or of a list. The reverse mapping of TypeScript's numeric enums, from
 * number to name, is skipped.
 */
export function enumValues(source: unknown): readonly (string | number)[] {
  if (typeof source === 'function') return enumValues((source as () => unknown)());
  const values = Array.isArray(source)
    ? (source as unknown[])
    : Object.entries((source ?? {}) as Readonly<Record<string, unknown>>)
        .filter(([key, value]) => !isReverseMapping(source as object, key, value))
        .map(([, value]) => value);
  return [
    ...new Set(values.filter((value) => typeof value === 'string' || typeof value === 'number')),
  ];
}

function isReverseMapping(source: object, key: string, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    String(Number(key)) === key &&
    (source as Readonly<Record<string, unknown>>)[value] === Number(key)
  );
}

/**
 * The values as `enum`, with their types: some providers require a type everywhere. An empty `enum`
 * is invalid JSON Schema.
 */
export function enumSchema(values: readonly JsonValue[]): JsonSchema {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  const [only] = types;
  if (only === undefined) return NOTHING;
  return { type: types.length === 1 ? only : types, enum: values };
}
