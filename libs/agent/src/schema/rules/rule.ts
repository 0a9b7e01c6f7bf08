import type { JsonValue } from '../../message';
import type { JsonSchema } from '../../tool';

/** What one decorator of class-validator means in JSON Schema. Constraints are its arguments. */
export interface Rule {
  /** Never stricter than the decorator: a value it would accept is never refused. */
  readonly keywords?: (...constraints: readonly never[]) => JsonSchema;
  /** What the keywords cannot say, in words for the model. */
  readonly note?: (...constraints: readonly never[]) => string | undefined;
  /** A value that the decorator accepts, for examples. */
  readonly example?: JsonValue;
  /** The decorator accepts a missing value. */
  readonly allowsMissing?: true;
}

export type RuleTable = Readonly<Record<string, Rule>>;

/** A rule about text: a pattern where one can say it, words, and an example. */
export function text(pattern?: string, note?: string, example?: string): Rule {
  return {
    keywords: () => ({ type: 'string', ...(pattern !== undefined && { pattern }) }),
    ...(note !== undefined && { note: () => note }),
    ...(example !== undefined && { example }),
  };
}

/** A rule that is words alone. */
export function words(note: (...constraints: readonly never[]) => string | undefined): Rule {
  return { note };
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
