import {
  type PathParameter,
  pathParametersOf,
  type ResolvedRoute,
  type RouteSurroundings,
} from '../../discovery';
import { pointer } from '../../schema';
import type { ArgumentIssue } from '../../tool';
import { fillPath, type PathValue } from './route-url';

/** Stands for a value that is no route's name. */
const NOBODY = '\u{10FFFF}';
/** A route that takes a wildcard of one segment and one of many takes any. */
const MANY_NOBODIES = Array<string>(16).fill(NOBODY).join('/');

/** The arguments of the path, by the route's names for them; a value may be missing. */
export type PathArguments = ReadonlyMap<string, Partial<PathValue> & Pick<PathValue, 'name'>>;

/**
 * The path of one call, by the route's own parameters. A value that leads the router elsewhere, or
 * that it would not read as it was given, is an issue.
 *
 * @param surroundings what the router makes of the route's paths
 */
export function routePathOf(
  { pattern }: ResolvedRoute,
  given: PathArguments,
  surroundings: () => RouteSurroundings,
  issues: ArgumentIssue[],
): string {
  const filled = (found: ArgumentIssue[], key?: string, instead?: string): string =>
    fillPath(
      pattern,
      (other) => {
        const { name = other, value } = given.get(other) ?? {};
        const used = other === key ? instead : value;
        return used === undefined ? undefined : { name, value: used };
      },
      found,
    );
  const path = filled(issues);
  if (given.size === 0 || issues.length > 0) return path;

  const { read, takersOf } = surroundings();
  const takers = takersOf(path);
  const reading = read(path);
  for (const parameter of pathParametersOf(pattern)) {
    const { name, value } = given.get(parameter.name) ?? { name: parameter.name };
    const refuse = (message: string) => issues.push({ path: pointer('', name), message });
    if (takers.length === 0) {
      const isAsGiven = !reading || (reading.get(parameter.name) ?? '') === (value ?? '');
      if (!isAsGiven) refuse('is read together with what stands beside it in the path');
      continue;
    }
    // A route with a parameter at the same place is as near to any value.
    const isTakenAnyway = standInsFor(parameter).every((standIn) => {
      const other = filled([], parameter.name, standIn);
      const others = takersOf(other);
      return read(other) !== undefined && takers.every((taker) => others.includes(taker));
    });
    if (isTakenAnyway) continue;
    refuse(`${value === undefined ? 'is missing, which ' : ''}leads to another route`);
  }
  return path;
}

/** What a parameter may hold as well. */
function standInsFor({ isWildcard, isOptional }: PathParameter): readonly (string | undefined)[] {
  return [NOBODY, ...(isWildcard ? [MANY_NOBODIES] : []), ...(isOptional ? [undefined] : [])];
}
