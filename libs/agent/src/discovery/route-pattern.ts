/** One piece of a path in which nothing may be left out. */
export type FlatToken =
  | { readonly type: 'text'; readonly value: string }
  | {
      readonly type: 'param';
      readonly name: string;
      /** What its values have to match, in parentheses, as Fastify's router takes it. */
      readonly expression?: string;
    }
  /** Matches slashes too. */
  | { readonly type: 'wildcard'; readonly name: string };

/** One piece of a route's path. A group stands in the URL only where all its parameters have values. */
export type PathToken =
  FlatToken | { readonly type: 'group'; readonly tokens: readonly PathToken[] };

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

/** The paths that a pattern stands for, with each group and then without it. */
export function variantsOf(tokens: readonly PathToken[]): readonly (readonly FlatToken[])[] {
  const [first, ...rest] = tokens;
  if (!first) return [[]];
  const after = variantsOf(rest);
  if (first.type !== 'group') return after.map((flat) => [first, ...flat]);
  const inside = variantsOf(first.tokens);
  return [...inside.flatMap((group) => after.map((flat) => [...group, ...flat])), ...after];
}

/** A text as a part of a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
