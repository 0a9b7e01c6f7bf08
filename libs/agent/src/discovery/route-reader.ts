import { escaped, type FlatToken, type PathToken, variantsOf } from './route-pattern';

/** Whatever a router reads from a path, by the names of the route's parameters. */
export type PathReading = ReadonlyMap<string, string>;

/** Reads a path as a router does; answers nothing where it is no path of the route. */
export type PathReader = (path: string) => PathReading | undefined;

/** How Express reads the paths of a pattern. */
export function expressReader(tokens: readonly PathToken[], isCaseSensitive: boolean): PathReader {
  const readers = variantsOf(tokens).map((variant) => {
    const expression = expressionOf(variant, isCaseSensitive ? '' : 'i', '/?');
    const names = variant.flatMap((token) => (token.type === 'text' ? [] : token.name));
    return (path: string): PathReading | undefined => {
      const values = expression.exec(path)?.slice(1);
      return values && new Map(names.map((name, at) => [name, decoded(values[at] ?? '')]));
    };
  });
  return (path) => {
    for (const read of readers) {
      const reading = read(path);
      if (reading) return reading;
    }
    return undefined;
  };
}

/**
 * The expression of a path or a host, in which each parameter is a group. The text between two
 * parameters is not read as part of the second, so that no input takes long.
 *
 * @see https://github.com/pillarjs/path-to-regexp
 */
export function expressionOf(tokens: readonly FlatToken[], flags: string, end = ''): RegExp {
  let source = '';
  /** The text since the last parameter of this segment, and since the last wildcard. */
  let [inSegment, inPath]: (string | undefined)[] = [];
  for (const token of tokens) {
    if (token.type === 'text') {
      source += escaped(token.value);
      if (token.value.includes('/')) inSegment = undefined;
      else if (inSegment !== undefined) inSegment += token.value;
      if (inPath !== undefined) inPath += token.value;
    } else if (token.type === 'param') {
      source += inSegment ? apart(inSegment, '[^/]', escaped(inSegment)) : '([^/]+)';
      inSegment = '';
    } else {
      source += inPath ? apart(inPath, '[^]', '[^/]+') : '([^]+)';
      inSegment = inPath = '';
    }
  }
  return new RegExp(`^${source}${end}$`, flags);
}

/** A parameter without the text that stands before it, or with what it may be instead. */
function apart(before: string, char: string, otherwise: string): string {
  return `((?:(?!${escaped(before)})${char})+|${otherwise})`;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
