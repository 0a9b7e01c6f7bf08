import { pathToRegexp } from 'path-to-regexp';

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

/** @throws Error if a pattern does not follow the grammar of `@Controller({ host })` */
export function routeHostsOf(
  host: string | RegExp | readonly (string | RegExp)[] | undefined,
): RouteHosts | undefined {
  if (host === undefined || host === '') return undefined;
  const patterns = [host].flat();
  const expressions = patterns.map((pattern) =>
    typeof pattern === 'string' ? pathToRegexp(pattern).regexp : pattern,
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
