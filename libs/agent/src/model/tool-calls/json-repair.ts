import { jsonIn } from '../../internal';

/**
 * The value of JSON, or of almost-JSON that has only one reading; `undefined` of any other text.
 * Repaired are code fences, single quotes, bare keys, Python's literals, comments, trailing commas
 * and raw control characters inside strings. Missing parts are never invented: incomplete text
 * stays broken.
 */
export function lenientJsonIn(text: string): unknown {
  return jsonIn(text) ?? jsonIn(repaired(text) ?? '');
}

/**
 * The content of a fenced block of code, closed or not, if the text is one; else the trimmed text.
 * Reads both ends only: a pattern with optional blanks on both sides takes minutes for a few
 * thousand of them.
 */
export function unfenced(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('```')) return trimmed;
  const isClosed = trimmed.length >= 6 && trimmed.endsWith('```');
  return trimmed
    .slice(3, isClosed ? -3 : undefined)
    .replace(/^[\w-]*/, '')
    .trim();
}

/** Almost-JSON as JSON, which may still be broken; `undefined` if a part has no single reading. */
function repaired(text: string): string | undefined {
  const source = unfenced(text);
  const parts: string[] = [];
  /** The position of the last part that is not blank. */
  let last = -1;
  for (let index = 0; index < source.length;) {
    const char = source.charAt(index);
    let part = char;
    let length = 1;
    if (char === '"' || char === "'") {
      const literal = readString(source, index);
      if (literal === undefined) return undefined;
      part = literal.json;
      length = literal.end - index;
    } else if (char === '/' && /[/*]/.test(source.charAt(index + 1))) {
      const end = endOfComment(source, index);
      if (end === undefined) return undefined;
      part = ' ';
      length = end - index;
    } else if ((char === '}' || char === ']') && parts[last] === ',') {
      parts[last] = '';
    } else if (/[A-Za-z_$]/.test(char)) {
      const word = wordAt(source, index);
      const json = wordAsJson(word, source.slice(index + word.length), parts[last] ?? '');
      if (json === undefined) return undefined;
      part = json;
      length = word.length;
    } else if (/[-\d]/.test(char)) {
      // A number is copied whole, so that the `e` of its exponent is not taken for a word.
      part = /^-?\d[\d.eE+-]*/.exec(source.slice(index, index + 64))?.[0] ?? char;
      length = part.length;
    }
    if (part.trim() !== '') last = parts.length;
    parts.push(part);
    index += length;
  }
  return parts.join('');
}

function wordAt(source: string, start: number): string {
  let end = start + 1;
  while (/[\w$]/.test(source.charAt(end))) end++;
  return source.slice(start, end);
}

const LITERALS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

function wordAsJson(word: string, rest: string, before: string): string | undefined {
  const isKey = /^\s*:/.test(rest) && (before === '{' || before === ',');
  if (isKey) return JSON.stringify(word);
  return LITERALS.get(word);
}

function endOfComment(source: string, start: number): number | undefined {
  if (source.charAt(start + 1) === '/') {
    const end = source.indexOf('\n', start);
    return end === -1 ? source.length : end;
  }
  const end = source.indexOf('*/', start + 2);
  return end === -1 ? undefined : end + 2;
}

/** A string in either kind of quotes, as JSON would write it; `undefined` if it does not end. */
function readString(
  source: string,
  start: number,
): { readonly json: string; readonly end: number } | undefined {
  const quote = source.charAt(start);
  let json = '"';
  for (let index = start + 1; index < source.length; index++) {
    const char = source.charAt(index);
    if (char === quote) return { json: `${json}"`, end: index + 1 };
    if (char === '\\') {
      const next = source.charAt(++index);
      if (next === '') return undefined;
      json += next === "'" ? "'" : next === '\n' ? '\\n' : char + next;
    } else if (char === '"') {
      json += '\\"';
    } else if (char < ' ') {
      json += JSON.stringify(char).slice(1, -1);
    } else {
      json += char;
    }
  }
  return undefined;
}
