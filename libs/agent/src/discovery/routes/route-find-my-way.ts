import type { PathToken } from './route-pattern';

/**
 * Reads a path in the grammar of Fastify's router: `:name`, `:name(pattern)`, several parameters in
 * one segment, `::` for a colon, `*` at the end, and an optional last segment `/:name?`.
 *
 * @see https://github.com/delvedor/find-my-way#supported-path-formats
 * @throws SyntaxError if a pattern in parentheses is not closed
 */
export function parseFindMyWay(path: string): readonly PathToken[] {
  const optional = /^(.*)(\/:[^/]*)\?(?:\/)?$/.exec(path);
  if (optional) {
    const [, before = '', last = ''] = optional;
    return [...parseFindMyWay(before), { type: 'group', tokens: parseFindMyWay(last) }];
  }

  const tokens: PathToken[] = [];
  let text = '';
  let at = 0;
  const flush = () => {
    if (text !== '') tokens.push({ type: 'text', value: text });
    text = '';
  };
  while (at < path.length) {
    const char = path[at] ?? '';
    if (char === ':' && path[at + 1] === ':') {
      text += ':';
      at += 2;
    } else if (char === ':') {
      flush();
      const name = /^[^-./(]*/.exec(path.slice(at + 1))?.[0] ?? '';
      at += 1 + name.length;
      tokens.push({ type: 'param', name });
      // Fastify's router itself compares a value with the pattern.
      if (path[at] === '(') at = closingParenthesis(path, at) + 1;
    } else if (char === '*') {
      flush();
      tokens.push({ type: 'wildcard', name: '*' });
      at += 1;
    } else {
      text += char;
      at += 1;
    }
  }
  flush();
  return tokens;
}

function closingParenthesis(path: string, start: number): number {
  let depth = 0;
  for (let at = start; at < path.length; at += 1) {
    if (path[at] === '\\') at += 1;
    else if (path[at] === '(') depth += 1;
    else if (path[at] === ')' && --depth === 0) return at;
  }
  throw new SyntaxError(`"(" is not closed in "${path}"`);
}
