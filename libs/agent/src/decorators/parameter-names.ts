import type { AnyMethod } from '../schema';

/**
 * The names of a function's parameters as its source has them; `undefined` at a place that is
 * destructured. Reads what the runtime keeps of the source, so after minification the names are
 * the minified ones.
 *
 * @returns `undefined` where the source cannot be read (bound and native functions)
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

/** What stands between the brackets after a method's name, without comments. */
function parameterListOf(source: string): string | undefined {
  let list = '';
  let isInside = false;
  for (const { text, depth } of pieces(source)) {
    if (isInside && depth === 0) return list.includes('[native code]') ? undefined : list;
    if (isInside) list += text;
    // A computed name stands in brackets of its own kind.
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

/** Comments and texts are one piece each, so that brackets in them count for nothing. */
const PIECE =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\s\S]/g;

/** The source piece by piece, with how deep in brackets each stands. */
function* pieces(source: string): Generator<{ text: string; depth: number }> {
  let depth = 0;
  for (const [text] of source.matchAll(PIECE)) {
    if (text.startsWith('/*') || text.startsWith('//')) continue;
    if (OPENERS.includes(text)) depth += 1;
    if (CLOSERS.includes(text)) depth -= 1;
    yield { text, depth };
  }
}
