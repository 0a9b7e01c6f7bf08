import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';
import { NOTHING } from '../json-schema';

/**
 * The values of an enum, or of a list of values. TypeScript's numeric enums also map each number
 * back to its name; those names are no values.
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
 * One of these values, with their types beside them: some providers want a type everywhere. An empty
 * `enum` is no JSON Schema.
 */
export function enumSchema(values: readonly JsonValue[]): JsonSchema {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))];
  const [only] = types;
  if (only === undefined) return NOTHING;
  return { type: types.length === 1 ? only : types, enum: values };
}
