/** Characters whose escape means something with the `u` flag, or is needed. */
const MEANINGFUL = /[\w^$\\.*+?()[\]{}|/-]/;
/** A class, where a hyphen may need its escape, or an escape outside of any. */
const CLASS_OR_ESCAPE = /\[(?:\\.|[^\]\\])*\]|\\./gs;
/** One half of a character; with the `u` flag, none of a whole one. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * A regular expression as a JSON Schema pattern, which knows no flags.
 *
 * @returns `undefined` where no pattern says the same
 */
export function patternOf({ source, flags }: RegExp): string | undefined {
  if (/[imsv]/.test(flags) || (!flags.includes('u') && SURROGATE.test(source))) return undefined;
  return unicodePattern(source);
}

/**
 * A pattern as JSON Schema reads it: with the `u` flag. Many that people write have needless
 * escapes, which only count without.
 *
 * @returns `undefined` where no such pattern says the same
 * @throws SyntaxError where it is no regular expression
 */
export function unicodePattern(source: string): string | undefined {
  if (isUnicode(source)) return source;
  new RegExp(source);
  const bare = source
    .replace(CLASS_OR_ESCAPE, (found) => (found === '\\-' ? '-' : found))
    .replace(/\\(.)/gs, (escape, char: string) => (MEANINGFUL.test(char) ? escape : char));
  return isUnicode(bare) ? bare : undefined;
}

function isUnicode(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
