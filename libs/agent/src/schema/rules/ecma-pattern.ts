/** Characters that may be escaped in a Unicode-aware pattern without meaning anything else. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const LETTER = /[a-zA-Z]/;
/** Escapes that mean the same with and without the `u` flag. */
const SHARED_ESCAPES = /[dDwWsSbBnrtfv0-9]/;
const LONG_ESCAPE =
  /^(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]+\}|k<[^>]+>|c[A-Za-z])/;
/** Escapes that letters of both cases may stand behind. */
const HIDES_LETTERS = /^[uxpPk1-9]/;
/** One half of a character; with the `u` flag, none of a whole one. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * A regular expression as a JSON Schema pattern. JSON Schema knows no flags and reads patterns as
 * Unicode; so case-insensitive letters are spelt out and needless escapes dropped.
 *
 * @returns `undefined` where no pattern says the same
 */
export function patternOf(regex: RegExp): string | undefined {
  const { source, flags, ignoreCase } = regex;
  if (/[smv]/.test(flags) && /[.^$]/.test(source)) return undefined;
  if (!/[uv]/.test(flags) && SURROGATE.test(source)) return undefined;
  const pattern = respelt(source, ignoreCase);
  return pattern !== undefined && isPattern(pattern) ? pattern : undefined;
}

/**
 * A pattern as JSON Schema reads it. Many that people write have needless escapes, which only count
 * without the `u` flag.
 *
 * @returns `undefined` where no such pattern says the same
 * @throws SyntaxError where it is no regular expression
 */
export function unicodePattern(source: string): string | undefined {
  return isPattern(source) ? source : patternOf(new RegExp(source));
}

function respelt(source: string, ignoreCase: boolean): string | undefined {
  let pattern = '';
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\\') {
      const rest = source.slice(at + 1);
      if (ignoreCase && HIDES_LETTERS.test(rest)) return undefined;
      const escape = LONG_ESCAPE.exec(rest)?.[0] ?? rest.charAt(0);
      at += escape.length;
      if (inClass && ignoreCase && startsRange(source, at)) return undefined;
      pattern += isMeaningful(escape, inClass) ? `\\${escape}` : spell(escape, inClass, ignoreCase);
    } else if (char === '[' && !inClass) {
      inClass = true;
      pattern += char;
    } else if (char === ']') {
      inClass = false;
      pattern += char;
    } else if (inClass && ignoreCase && startsRange(source, at)) {
      const range = rangeOf(char, source.charAt(at + 2));
      if (range === undefined) return undefined;
      pattern += range;
      at += 2;
    } else if (char === '(' && source.charAt(at + 1) === '?') {
      // `(?<name>` and the like must not be spelt out.
      const opening = /^\(\?(?:<[=!]|<[^>]+>|[:=!])/.exec(source.slice(at))?.[0] ?? '(';
      pattern += opening;
      at += opening.length - 1;
    } else pattern += spell(char, inClass, ignoreCase);
  }
  return pattern;
}

/** Whether the escape of a Unicode-aware pattern is more than the character itself. */
function isMeaningful(escape: string, inClass: boolean): boolean {
  return (
    escape.length > 1 ||
    SHARED_ESCAPES.test(escape) ||
    SYNTAX.test(escape) ||
    (inClass && escape === '-')
  );
}

function startsRange(source: string, at: number): boolean {
  return source.charAt(at + 1) === '-' && source.charAt(at + 2) !== ']';
}

/** A character in both cases, where it has two. */
function spell(char: string, inClass: boolean, ignoreCase: boolean): string {
  const lower = char.toLowerCase();
  const upper = char.toUpperCase();
  if (!ignoreCase || lower === upper || lower.length > 1 || upper.length > 1) return char;
  return inClass ? lower + upper : `[${lower}${upper}]`;
}

/** A range in both cases; `undefined` where it begins or ends among letters other than at one. */
function rangeOf(start: string, end: string): string | undefined {
  if (end < 'A') return `${start}-${end}`;
  if (!LETTER.test(start) || !LETTER.test(end)) return undefined;
  const ranges = new Set([
    `${start}-${end}`,
    `${start.toLowerCase()}-${end.toLowerCase()}`,
    `${start.toUpperCase()}-${end.toUpperCase()}`,
  ]);
  return [...ranges].join('');
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
