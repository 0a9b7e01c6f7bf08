/** One piece of a route's path. A group stands in the URL only where all its parameters have values. */
export type PathToken =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'param'; readonly name: string }
  /** Matches slashes too. */
  | { readonly type: 'wildcard'; readonly name: string }
  | { readonly type: 'group'; readonly tokens: readonly PathToken[] };

/** A parameter that a path declares. */
export interface PathParameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isWildcard: boolean;
}

/** The parameters of a path, in order; those of groups are optional. */
export function pathParametersOf(
  tokens: readonly PathToken[],
  isOptional = false,
): readonly PathParameter[] {
  return tokens.flatMap((token) => {
    switch (token.type) {
      case 'text':
        return [];
      case 'param':
      case 'wildcard':
        return [{ name: token.name, isOptional, isWildcard: token.type === 'wildcard' }];
      case 'group':
        return pathParametersOf(token.tokens, true);
    }
  });
}

/** The regular expression of a pattern; each parameter is a capture group, in order. */
export function patternSource(tokens: readonly PathToken[]): string {
  return tokens
    .map((token) => {
      switch (token.type) {
        case 'text':
          return token.value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
        case 'param':
          return '([^/]+?)';
        case 'wildcard':
          return '(.+?)';
        case 'group':
          return `(?:${patternSource(token.tokens)})?`;
      }
    })
    .join('');
}
