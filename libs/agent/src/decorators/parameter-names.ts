import type { AnyMethod } from '../schema';

/**
 * The names of a function's parameters as its source has them; `undefined` at a place that is
 * destructured. Reads what the runtime keeps of the source, so after minification the names are
 * the minified ones.
 *
 * @returns `undefined` where the source cannot be read (bound and native functions)
 */
export function parameterNamesOf(method: AnyMethod): readonly (string | undefined)[] | undefined {
  const source = withoutComments(Function.prototype.toString.call(method));
  if (source.includes('[native code]')) return undefined;
  const open = source.indexOf('(');
  if (open === -1) return undefined;
  const list = untilClosed(source, open);
  if (list === undefined) return undefined;
  return splitTopLevel(list).map(
    (part) =>
      /^(?:\.\.\.)?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?:=|$)/u.exec(part.trim())?.[1],
  );
}

/** Whether a name looks like what a minifier leaves. */
export function looksMinified(names: readonly (string | undefined)[]): boolean {
  const known = names.filter((name) => name !== undefined);
  return known.length > 1 && known.every((name) => name.length === 1) && isAlphabetRun(known);
}

function isAlphabetRun(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || name > (names[index - 1] ?? ''));
}

const OPENERS = '([{';
const CLOSERS = ')]}';

/** What stands between a bracket and the one that closes it. */
function untilClosed(source: string, open: number): string | undefined {
  for (const { at, depth } of walk(source, open))
    if (depth === 0) return source.slice(open + 1, at);
  return undefined;
}

function splitTopLevel(list: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { at, depth, char } of walk(list, 0)) {
    if (char !== ',' || depth !== 0) continue;
    parts.push(list.slice(start, at));
    start = at + 1;
  }
  parts.push(list.slice(start));
  return parts.filter((part) => part.trim() !== '');
}

/** Every character outside of text, with how deep in brackets it stands. */
function* walk(
  source: string,
  from: number,
): Generator<{ at: number; depth: number; char: string }> {
  let depth = 0;
  let quote = '';
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
      continue;
    }
    if (char === '"' || char === "'" || char === '`') quote = char;
    if (OPENERS.includes(char)) depth += 1;
    if (CLOSERS.includes(char)) depth -= 1;
    yield { at, depth, char };
  }
}

function withoutComments(source: string): string {
  return source.replace(
    /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_match, text: string | undefined) => text ?? ' ',
  );
}
