import { defined } from '../../internal';
import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';

/**
 * A decorator of class-validator as JSON Schema, or a function of the decorator's arguments. The
 * keywords are never stricter than the decorator; the description adds the rest in words.
 */
export type Rule = JsonSchema | ((...constraints: readonly never[]) => JsonSchema);

export type RuleTable = Readonly<Record<string, Rule>>;

/** A rule about text. */
export function text(description?: string, pattern?: string, example?: string): JsonSchema {
  const examples = example === undefined ? undefined : [example];
  return defined({ type: 'string', pattern, description, examples });
}

/** A value as part of a sentence. */
export function quote(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(quote).join(', ');
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value) ?? String(value);
}

/** The values that are JSON scalars. */
export function jsonValues(values: readonly unknown[]): JsonValue[] {
  return values.filter(
    (value): value is string | number | boolean | null =>
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value)),
  );
}

/** An upper bound of a size; none where no value can exceed it. */
export const atMost = (keyword: 'maxLength' | 'maxItems', size: number): JsonSchema =>
  size >= Number.MAX_SAFE_INTEGER ? {} : { [keyword]: size };
