/** One token of a path without optional parts. */
export type FlatToken =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'param'; readonly name: string }
  /** Matches slashes too. */
  | { readonly type: 'wildcard'; readonly name: string };

/**
 * One token of a route's path. A group is part of the URL only if all its parameters have values.
 */
export type PathToken =
  | FlatToken
  | { readonly type: 'group'; readonly tokens: readonly PathToken[] };

/** A declared path parameter. */
interface PathParameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isWildcard: boolean;
}

/** The parameters of a path, in order; parameters of groups are optional. */
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

/**
 * The parameters of a path whose values a router may read otherwise: those that share their segment
 * with text or another parameter, and optional ones, which take each other's place.
 */
export function sharedParametersOf(tokens: readonly PathToken[]): ReadonlySet<string> {
  const isBorder = (token: PathToken | undefined, step: -1 | 1): boolean => {
    if (token === undefined || token.type === 'group') return true;
    const { value } = token.type === 'text' ? token : { value: '' };
    return step === 1 ? value.startsWith('/') : value.endsWith('/');
  };
  const shared = tokens.flatMap((token, at) =>
    token.type === 'param' && !(isBorder(tokens[at - 1], -1) && isBorder(tokens[at + 1], 1))
      ? token.name
      : [],
  );
  const optional = pathParametersOf(tokens).filter(({ isOptional }) => isOptional);
  return new Set([...shared, ...optional.map(({ name }) => name)]);
}
