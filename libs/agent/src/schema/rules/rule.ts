import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';

/**
 * A decorator of class-validator in JSON Schema, made from the decorator's arguments where they matter.
 * Its keywords are never stricter than the decorator; its description says the rest in words.
 */
export type Rule = JsonSchema | ((...constraints: readonly never[]) => JsonSchema);

export type RuleTable = Readonly<Record<string, Rule>>;

/** A rule about text. */
export function text(description?: string, pattern?: string, example?: string): JsonSchema {
  return {
    type: 'string',
    ...(pattern !== undefined && { pattern }),
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** A value as it stands in a sentence. */
export function quote(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(quote).join(', ');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value) ?? String(value);
}

/** The values that JSON can say. */
export function jsonValues(values: readonly unknown[]): JsonValue[] {
  return values.filter(
    (value): value is string | number | boolean | null =>
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value)),
  );
}

/** An upper bound of a size, unless no value can exceed it: the model would read it for nothing. */
export const atMost = (keyword: 'maxLength' | 'maxItems', size: number): JsonSchema =>
  size >= Number.MAX_SAFE_INTEGER ? {} : { [keyword]: size };
