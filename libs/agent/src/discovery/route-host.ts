import { parsePathToRegexp } from './route-path-to-regexp';
import { variantsOf } from './route-pattern';
import { expressionOf } from './route-reader';

/** The hosts that a controller answers to. */
export interface RouteHosts {
  /** As declared, for messages. */
  readonly declared: string;
  /** Those without parameters; the first serves where the caller's own does not match. */
  readonly fixed: readonly string[];
  /** Whether there are others. */
  readonly isOpen: boolean;
  matches(hostname: string): boolean;
}

/** Whether one host may be among both. */
export function canMeet(some: RouteHosts, others: RouteHosts): boolean {
  return (
    (some.isOpen && others.isOpen) ||
    some.fixed.some((host) => others.matches(host)) ||
    others.fixed.some((host) => some.matches(host))
  );
}

const HAS_PARAMETERS = /[:*{\\]/;

/** @throws SyntaxError where a pattern is not in the grammar of `@Controller({ host })` */
export function routeHostsOf(
  host: string | RegExp | readonly (string | RegExp)[] | undefined,
): RouteHosts | undefined {
  if (host === undefined || host === '') return undefined;
  const patterns = typeof host === 'string' || host instanceof RegExp ? [host] : host;
  const expressions = patterns.flatMap((pattern) =>
    typeof pattern === 'string'
      ? variantsOf(parsePathToRegexp(pattern)).map((variant) => expressionOf(variant, 'i'))
      : pattern,
  );
  const fixed = patterns.filter((pattern) => typeof pattern === 'string' && isFixed(pattern));
  return {
    declared: patterns.map(String).join(', '),
    fixed: fixed.map(String),
    isOpen: fixed.length < patterns.length,
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
