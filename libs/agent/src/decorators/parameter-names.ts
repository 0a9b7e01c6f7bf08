import type { AnyMethod } from '../schema';

/**
 * The names of a function's parameters in its source; `undefined` for a destructured one. Reads the
 * runtime's copy of the source, so minified code yields minified names.
 *
 * @returns `undefined` if the source cannot be read (bound and native functions)
 */
export function parameterNamesOf(method: AnyMethod): readonly (string | undefined)[] | undefined {
  const list = parameterListOf(Function.prototype.toString.call(method));
  if (list === undefined) return undefined;
  return splitTopLevel(list).map(
    (part) =>
      /^(?:\.\.\.)?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?:=|$)/u.exec(part.trim())?.[1],
  );
}

const OPENERS = '([{';
const CLOSERS = ')]}';

/** The text between the parentheses after a method's name, without comments. */
function parameterListOf(source: string): string | undefined {
  let list = '';
  let isInside = false;
  for (const { text, depth } of pieces(source)) {
    if (isInside && depth === 0) return list.includes('[native code]') ? undefined : list;
    if (isInside) list += text;
    // A computed name has square brackets of its own.
    else if (text === '(' && depth === 1) isInside = true;
  }
  return undefined;
}

function splitTopLevel(list: string): readonly string[] {
  const parts = [''];
  for (const { text, depth } of pieces(list)) {
    if (text === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += text;
  }
  return parts.filter((part) => part.trim() !== '');
}

/** A comment or string is one piece, so that brackets in it are not counted. */
const PIECE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\s\S]/g;

/** The source in pieces, each with its bracket depth. */
function* pieces(source: string): Generator<{ text: string; depth: number }> {
  let depth = 0;
  for (const [text] of source.matchAll(PIECE)) {
    if (text.startsWith('/*') || text.startsWith('//')) continue;
    if (OPENERS.includes(text)) depth += 1;
    if (CLOSERS.includes(text)) depth -= 1;
    yield { text, depth };
  }
}
