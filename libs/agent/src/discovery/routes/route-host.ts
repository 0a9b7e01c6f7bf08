import { parsePathToRegexp } from './route-path-to-regexp';
import { literalOf, type PathToken } from './route-pattern';

/** The hosts that serve a controller. */
export interface RouteHosts {
  /** As declared, for messages. */
  readonly declared: string;
  /** The hosts without parameters; the first is used if the caller's own host does not match. */
  readonly fixed: readonly string[];
  matches(hostname: string): boolean;
}

const HAS_PARAMETERS = /[:*{\\]/;
/**
 * The maximum length of a DNS name. A longer one could keep an expression with many parameters
 * busy.
 */
const MAX_HOSTNAME_CHARS = 255;

/** @throws SyntaxError if a pattern does not follow the grammar of `@Controller({ host })` */
export function routeHostsOf(
  host: string | RegExp | readonly (string | RegExp)[] | undefined,
): RouteHosts | undefined {
  if (host === undefined || host === '') return undefined;
  const patterns = typeof host === 'string' || host instanceof RegExp ? [host] : host;
  const expressions = patterns.map((pattern) =>
    typeof pattern === 'string'
      ? new RegExp(`^${sourceOf(parsePathToRegexp(pattern))}$`, 'i')
      : pattern,
  );
  return {
    declared: patterns.map(String).join(', '),
    fixed: patterns.filter(
      (pattern) => typeof pattern === 'string' && !HAS_PARAMETERS.test(pattern),
    ) as string[],
    matches: (hostname) =>
      hostname.length <= MAX_HOSTNAME_CHARS &&
      expressions.some((expression) => {
        // A user's expression may be sticky or global and would then keep its last index.
        expression.lastIndex = 0;
        return expression.test(hostname);
      }),
  };
}

function sourceOf(tokens: readonly PathToken[]): string {
  return tokens
    .map((token) => {
      switch (token.type) {
        case 'text':
          return literalOf(token.value);
        case 'param':
          return '[^/]+?';
        case 'wildcard':
          return '.+?';
        case 'group':
          return `(?:${sourceOf(token.tokens)})?`;
      }
    })
    .join('');
}
