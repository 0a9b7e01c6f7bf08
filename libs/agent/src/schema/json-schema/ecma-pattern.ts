import { withFallback } from '../../internal';
import type { JsonSchema } from '../../tool';

/** Characters whose escape is valid with the `u` flag. */
const MEANINGFUL = /[\w^$\\.*+?()[\]{}|/-]/;
/** A class, where a hyphen may need its escape, or an escape outside of classes. */
const CLASS_OR_ESCAPE = /\[(?:\\.|[^\]\\])*\]|\\./gs;
/** A lone surrogate; with the `u` flag, it does not match within a character. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * A regular expression as a JSON Schema pattern, which knows no flags.
 *
 * @returns `undefined` if no pattern is equivalent
 */
export function patternOf({ source, flags }: RegExp): string | undefined {
  if (/[imsv]/.test(flags) || (!flags.includes('u') && SURROGATE.test(source))) return undefined;
  return unicodePattern(source);
}

/**
 * A pattern as JSON Schema reads it: with the `u` flag. Needless escapes, which the flag forbids,
 * are removed.
 *
 * @returns `undefined` if no such pattern is equivalent
 * @throws SyntaxError if it is no regular expression
 */
export function unicodePattern(source: string): string | undefined {
  if (isUnicode(source)) return source;
  new RegExp(source);
  const bare = source
    .replace(CLASS_OR_ESCAPE, (found) => (found === '\\-' ? '-' : found))
    .replace(/\\(.)/gs, (escape, char: string) => (MEANINGFUL.test(char) ? escape : char));
  return isUnicode(bare) ? bare : undefined;
}

/** A schema with its own patterns as `unicodePattern` has them; one without an equivalent fits any text. */
export function withUnicodePatterns(schema: JsonSchema): JsonSchema {
  const { pattern, patternProperties } = schema;
  if (pattern === undefined && patternProperties === undefined) return schema;
  return {
    ...schema,
    ...(typeof pattern === 'string' && { pattern: unicodePattern(pattern) ?? ANY_TEXT }),
    ...(patternProperties !== undefined && {
      patternProperties: Object.fromEntries(
        Object.entries(patternProperties as object).map(([key, part]: [string, unknown]) => [
          unicodePattern(key) ?? ANY_TEXT,
          part,
        ]),
      ),
    }),
  };
}

const ANY_TEXT = '';

function isUnicode(source: string): boolean {
  return withFallback(() => new RegExp(source, 'u').unicode, false);
}
