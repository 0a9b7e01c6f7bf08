/**
 * Syntax of regular expressions that JavaScript reads and Python does not: most escapes of letters,
 * code points in braces, named groups, look-behinds of any length and empty classes.
 */
const UNREADABLE = /\\(?!u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[dDwWsSbBnrtvf])[a-zA-Z]|\(\?<|\[\^?\]/;

/** Constructs that strict mode does not support: look-arounds, references, word boundaries. */
const UNBOUND = /\(\?[=!]|\\[1-9bB]/;

/**
 * Whether OpenAI compiles a pattern. It checks every tool's schema, strict or not, with Python's
 * `jsonschema`, and refuses the whole request for a pattern that Python cannot compile.
 */
export function isOpenAiPattern(pattern: string): boolean {
  return !UNREADABLE.test(withoutEscapedSigns(pattern));
}

/** Whether strict mode supports a pattern as well. */
export function isStrictOpenAiPattern(pattern: string): boolean {
  return isOpenAiPattern(pattern) && !UNBOUND.test(withoutEscapedSigns(pattern));
}

/** An escaped bracket opens nothing, and an escaped backslash escapes nothing. */
function withoutEscapedSigns(pattern: string): string {
  return pattern.replace(/\\[^a-zA-Z0-9]/g, '_');
}
