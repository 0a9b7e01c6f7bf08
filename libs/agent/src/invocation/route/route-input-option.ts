import { pathParametersOf, type ResolvedRoute } from '../../discovery';
import type { JsonSchema } from '../../tool';
import { propertyParts, type RoutePart } from './route-part';
import type { ParameterPlace } from './route-parameter';

/** With `input` the option decides what there is, and the route where each of it goes. */
export function partsOfInput(
  schema: JsonSchema,
  declared: readonly RoutePart[],
  { pattern, method }: ResolvedRoute,
): readonly RoutePart[] {
  const paths = new Map(pathParametersOf(pattern).map(({ name, ...rest }) => [name, rest]));
  const rest: ParameterPlace = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
    ? 'query'
    : 'body';
  const ofInput = propertyParts(rest, 0, schema).map((part): RoutePart => {
    const key = part.key ?? '';
    const inPath = paths.get(key);
    if (inPath) return { ...part, place: 'path', required: part.required || !inPath.isOptional };
    const known = declared.find((one) => one.key === key);
    return known ? { ...part, place: known.place } : part;
  });
  const missing = declared.filter(
    ({ place, key }) => place === 'path' && !ofInput.some((part) => part.key === key),
  );
  return [...missing, ...ofInput];
}
