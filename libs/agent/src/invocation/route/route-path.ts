import type { PathTest, ResolvedRoute } from '../../discovery';
import { pointer } from '../../schema';
import type { ArgumentIssue } from '../../tool';
import { fillPath, type PathValue } from './route-url';

/** Stands for a value that is no route's name. */
const NOBODY = '\u{10FFFF}';

/**
 * The path of one call, by the route's own parameters.
 *
 * @param neighbours the routes that a value must not lead to
 */
export function routePathOf(
  { pattern }: ResolvedRoute,
  values: ReadonlyMap<string, PathValue>,
  neighbours: () => readonly PathTest[],
  issues: ArgumentIssue[],
): string {
  const path = fillPath(pattern, (key) => values.get(key), issues);
  if (values.size === 0 || issues.length > 0) return path;
  const leading = neighbours().filter((leadsTo) => leadsTo(path));
  if (leading.length === 0) return path;
  for (const [key, { name, value }] of values) {
    const others = new Map(values).set(key, { name, value: value.replace(/[^/]+/g, NOBODY) });
    const without = fillPath(pattern, (other) => others.get(other), []);
    // A route with a parameter at the same place is as near to any value.
    if (leading.every((leadsTo) => leadsTo(without))) continue;
    issues.push({ path: pointer('', name), message: 'leads to another route' });
  }
  return path;
}
