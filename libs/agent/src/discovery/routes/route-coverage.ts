import { escapeRegExp } from '../../internal';
import type { FlatToken, PathToken } from './route-pattern';

/** Stands for any text without a slash, and matches nothing but a parameter or a wildcard. */
const ANY_SEGMENT = '\0';
/** Stands for any text, and matches nothing but a wildcard. */
const ANY_PATH = '\n';

/** The URLs of a path of Express 5, as far as other paths are compared with it. */
export interface RouteCoverage {
  /** Every URL that the path can have, with a mark for each value. */
  readonly urls: readonly string[];
  /** Their common beginning. */
  readonly start: string;
  /** Expressions that match nothing but URLs of the path; none if its URL is fixed, as only the same path takes it. */
  readonly expressions: readonly RegExp[];
}

export function coverageOf(pattern: readonly PathToken[]): RouteCoverage {
  const variants = variantsOf(pattern);
  const isFixed = pattern.every(({ type }) => type === 'text');
  return {
    urls: variants.map((tokens) => tokens.map(markOf).join('')),
    start: pattern[0]?.type === 'text' ? pattern[0].value : '',
    expressions: isFixed
      ? []
      : variants.filter(isPlain).map((tokens) => new RegExp(`^${tokens.map(sourceOf).join('')}$`)),
  };
}

/** Whether an earlier path certainly matches every URL of a later one. */
export function coversAll(earlier: RouteCoverage, later: RouteCoverage): boolean {
  return later.urls.every((url) => earlier.expressions.some((one) => one.test(url)));
}

/** The paths with and without each of its groups. */
function variantsOf(tokens: readonly PathToken[]): readonly (readonly FlatToken[])[] {
  return tokens.reduce<readonly (readonly FlatToken[])[]>(
    (before, token) => {
      const next = token.type === 'group' ? [...variantsOf(token.tokens), []] : [[token]];
      return before.flatMap((start) => next.map((end) => [...start, ...end]));
    },
    [[]],
  );
}

/**
 * Whether each value may be any text. Of several values in one segment, and of several wildcards,
 * the router restricts the later ones.
 */
function isPlain(tokens: readonly FlatToken[]): boolean {
  const marked = tokens.map((token) => (token.type === 'text' ? token.value : markOf(token)));
  const segments = marked.join('').split('/');
  return (
    segments.every((segment) => [...segment].filter(isMark).length <= 1) &&
    tokens.filter(({ type }) => type === 'wildcard').length <= 1
  );
}

function isMark(char: string): boolean {
  return char === ANY_SEGMENT || char === ANY_PATH;
}

function markOf(token: FlatToken): string {
  switch (token.type) {
    case 'text':
      return token.value;
    case 'param':
      return ANY_SEGMENT;
    case 'wildcard':
      return ANY_PATH;
  }
}

function sourceOf(token: FlatToken): string {
  switch (token.type) {
    case 'text':
      return escapeRegExp(token.value);
    case 'param':
      return `[^/${ANY_PATH}]+`;
    case 'wildcard':
      return '[^]+';
  }
}
