import { pathParametersOf, type ResolvedRoute } from '../../../discovery';
import type { JsonSchema } from '../../../tool';
import { propertyParts, type RoutePart, wholeParts } from './route-part';

/** With `input`, the option defines the arguments and the route their places. */
export function partsOfInput(
  schema: JsonSchema,
  declared: readonly RoutePart[],
  { pattern, method }: ResolvedRoute,
): readonly RoutePart[] {
  const paths = new Map(pathParametersOf(pattern).map(({ name, ...rest }) => [name, rest]));
  const rest = restOf(declared, method);
  // Open parts stay open: they are the whole body or query.
  const parts =
    schema.additionalProperties === true
      ? wholeParts(rest, 0, { schema, required: true })
      : propertyParts(rest, 0, schema);
  const ofInput = parts.map((part): RoutePart => {
    if (part.key === undefined) return part;
    const { key } = part;
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

/** The place of properties that the route does not name: the open part. */
function restOf(declared: readonly RoutePart[], method: string): 'body' | 'query' {
  const places = declared.map(({ place }) => place);
  if (places.includes('body')) return 'body';
  if (declared.some(({ place, key }) => place === 'query' && key === undefined)) return 'query';
  return ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) ? 'query' : 'body';
}
