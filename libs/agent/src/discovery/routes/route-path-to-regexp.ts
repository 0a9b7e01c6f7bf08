import type { PathToken } from './route-pattern';

const NAME = /^[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*/u;

/**
 * Reads a path in the grammar of Express 5: `:name`, `*name`, `{optional}`, `\` before a literal
 * character, quoted names.
 *
 * @see https://github.com/pillarjs/path-to-regexp#usage
 * @throws SyntaxError if the path does not follow that grammar
 */
export function parsePathToRegexp(path: string): readonly PathToken[] {
  let at = 0;

  function nameAfter(sigil: string): string {
    const rest = path.slice(at);
    const quoted = /^"((?:[^"\\]|\\.)+)"/.exec(rest);
    const match = quoted ?? NAME.exec(rest);
    if (!match) throw new SyntaxError(`"${sigil}" at ${at} of "${path}" has no name`);
    at += match[0].length;
    return quoted?.[1]?.replace(/\\(.)/g, '$1') ?? match[0];
  }

  function tokensUntil(end: '}' | undefined): PathToken[] {
    const tokens: PathToken[] = [];
    let text = '';
    const flush = () => {
      if (text !== '') tokens.push({ type: 'text', value: text });
      text = '';
    };
    while (at < path.length) {
      const char = path[at] ?? '';
      at += 1;
      if (char === end) {
        flush();
        return tokens;
      }
      if (char === '\\') {
        text += path[at] ?? '';
        at += 1;
      } else if (char === ':' || char === '*') {
        flush();
        tokens.push({ type: char === ':' ? 'param' : 'wildcard', name: nameAfter(char) });
      } else if (char === '{') {
        flush();
        tokens.push({ type: 'group', tokens: tokensUntil('}') });
      } else if ('}()[]+?!'.includes(char)) {
        throw new SyntaxError(`unexpected "${char}" at ${at - 1} of "${path}"`);
      } else {
        text += char;
      }
    }
    if (end) throw new SyntaxError(`"{" is not closed in "${path}"`);
    flush();
    return tokens;
  }

  return tokensUntil(undefined);
}
