import { parsePathToRegexp } from './route-path-to-regexp';
import { patternSource } from './route-pattern';

/** The hosts that a controller answers to. */
export interface RouteHosts {
  /** As declared, for messages. */
  readonly declared: string;
  /** A host without parameters, which serves where the caller's own does not match. */
  readonly fixed?: string;
  matches(hostname: string): boolean;
}

const HAS_PARAMETERS = /[:*{\\]/;

/** @throws SyntaxError where a pattern is not in the grammar of `@Controller({ host })` */
export function routeHostsOf(
  host: string | RegExp | readonly (string | RegExp)[] | undefined,
): RouteHosts | undefined {
  if (host === undefined || host === '') return undefined;
  const patterns = typeof host === 'string' || host instanceof RegExp ? [host] : host;
  const expressions = patterns.map((pattern) =>
    typeof pattern === 'string'
      ? new RegExp(`^${patternSource(parsePathToRegexp(pattern))}$`, 'i')
      : pattern,
  );
  const fixed = patterns.find((pattern) => typeof pattern === 'string' && isFixed(pattern));
  return {
    declared: patterns.map(String).join(', '),
    ...(typeof fixed === 'string' && { fixed }),
    matches: (hostname) =>
      expressions.some((expression) => {
        // A pattern of the user's may be sticky or global and would then remember its last match.
        expression.lastIndex = 0;
        return expression.test(hostname);
      }),
  };
}

function isFixed(pattern: string): boolean {
  return !HAS_PARAMETERS.test(pattern);
}
