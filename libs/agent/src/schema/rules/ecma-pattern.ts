/** Characters that may be escaped in a Unicode-aware pattern without meaning anything else. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const LETTER = /[a-zA-Z]/;
/** Escapes that mean the same with and without the `u` flag. */
const SHARED_ESCAPES = /[dDwWsSbBnrtfv0-9]/;

/**
 * A regular expression as a JSON Schema pattern. JSON Schema knows no flags and reads patterns as
 * Unicode; so case-insensitive letters are spelt out and needless escapes dropped.
 *
 * @returns `undefined` where no pattern says the same
 */
export function patternOf(regex: RegExp): string | undefined {
  if (/[smv]/.test(regex.flags) && /[.^$]/.test(regex.source)) return undefined;
  const ignoreCase = regex.ignoreCase;
  let pattern = '';
  let inClass = false;
  const { source } = regex;
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '\\') {
      const next = source.charAt(++at);
      const long =
        /^(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]+\}|k<[^>]+>|c[A-Za-z])/.exec(
          source.slice(at),
        )?.[0];
      if (long !== undefined) {
        pattern += `\\${long}`;
        at += long.length - 1;
      } else if (SHARED_ESCAPES.test(next) || SYNTAX.test(next) || (inClass && next === '-'))
        pattern += `\\${next}`;
      else pattern += spell(next, inClass, ignoreCase);
    } else if (char === '[' && !inClass) {
      inClass = true;
      pattern += char;
    } else if (char === ']') {
      inClass = false;
      pattern += char;
    } else if (inClass && ignoreCase && source.charAt(at + 1) === '-' && LETTER.test(char)) {
      const end = source.charAt(at + 2);
      if (!LETTER.test(end)) return undefined;
      pattern += bothCases(char, end);
      at += 2;
    } else if (char === '(' && source.charAt(at + 1) === '?') {
      // `(?<name>` and the like must not be spelt out.
      const opening = /^\(\?(?:<[=!]|<[^>]+>|[:=!])/.exec(source.slice(at))?.[0] ?? '(';
      pattern += opening;
      at += opening.length - 1;
    } else pattern += spell(char, inClass, ignoreCase);
  }
  return isPattern(pattern) ? pattern : undefined;
}

function spell(char: string, inClass: boolean, ignoreCase: boolean): string {
  if (!ignoreCase || !LETTER.test(char)) return char;
  const both = char.toLowerCase() + char.toUpperCase();
  return inClass ? both : `[${both}]`;
}

function bothCases(start: string, end: string): string {
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
