import type { ResolvedRoute } from '../../../discovery';
import { type Describe, describerOf, type RouteMethod } from './route-describer';
import { documentedParametersOf, type ParameterDocumentation } from './route-documentation';
import { documentedParts } from './route-documented-parts';
import type { RouteHeaderRules } from './route-header-rules';
import { routeParametersOf, type RouteParameter, takesRequest } from './route-parameter';
import { joinedPart } from './route-parameter-schema';
import { isFlat, type RoutePart, wholeParts } from './route-part';
import { pathParts } from './route-path-parts';

/** The parts of a request that a method's decorators and types declare. */
export function declaredPartsOf(
  method: RouteMethod,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): readonly RoutePart[] {
  const parameters = routeParametersOf(method.host, method.methodName);
  const documented = documentedParametersOf(method.host, method.methodName);
  const describe = describerOf(method, documented);
  const declared = [
    ...pathParts(route, parameters, describe, documented),
    ...queryParts(parameters, describe, documented),
    ...headerParts(parameters, describe, rules),
    ...documentedParts('header', parameters, documented).filter(
      ({ key }) => key !== undefined && rules.isInput(key.toLowerCase()),
    ),
    ...bodyParts(parameters, describe, initialisedFrom(method)),
    ...unreadBodyParts(method, route, parameters, documented),
  ];
  // The version's header or query parameter is fixed.
  return declared.filter(
    ({ place, key = '' }) =>
      !(place === 'query' && Object.hasOwn(route.query, key)) &&
      !(place === 'header' && key.toLowerCase() in route.headers) &&
      !(place === 'header' && key.toLowerCase() === route.versionHeader),
  );
}

function queryParts(
  parameters: readonly RouteParameter[],
  describe: Describe,
  documented: readonly ParameterDocumentation[],
): readonly RoutePart[] {
  let isTold = false;
  const read = parameters
    .filter(({ place }) => place === 'query')
    .flatMap((parameter): readonly RoutePart[] => {
      // A query parameter without a pipe is optional: TypeScript's `?` is not recorded.
      const described = describe(parameter, false);
      const { key, index } = parameter;
      if (key !== undefined) return [{ place: 'query', key, index, ...described }];
      if (isFlat(described.schema)) isTold = true;
      return wholeParts('query', index, described).map((part) => ({
        ...part,
        ...joinedPart(documented.find(({ place, name }) => place === 'query' && name === part.key)),
      }));
    });
  // A DTO for the whole query lists its own properties.
  const named = isTold ? [] : documentedParts('query', parameters, documented);
  const isOpen = ({ key }: RoutePart): boolean => key === undefined;
  return [...(named.length > 0 ? read.filter((part) => !isOpen(part)) : read), ...named];
}

function headerParts(
  parameters: readonly RouteParameter[],
  describe: Describe,
  rules: RouteHeaderRules,
): readonly RoutePart[] {
  return parameters.flatMap((parameter) => {
    const { place, key, index } = parameter;
    if (place !== 'header' || key === undefined || !rules.isInput(key.toLowerCase())) return [];
    return [{ place, key, index, ...describe(parameter, false) }];
  });
}

/** The first parameter with an initialiser is optional; later ones cannot be recognised. */
function initialisedFrom({ host, methodName }: RouteMethod): number {
  return (host.prototype as Record<string, { readonly length: number }>)[methodName]?.length ?? 0;
}

function bodyParts(
  parameters: readonly RouteParameter[],
  describe: Describe,
  initialised: number,
): readonly RoutePart[] {
  const read = parameters.filter(({ place }) => place === 'body');
  const wholes = read
    .filter(({ key }) => key === undefined)
    .flatMap((one) => wholeParts('body', one.index, describe(one, one.index !== initialised)));
  // A DTO knows which of its fields are optional.
  const told = new Set(wholes.map(({ key }) => key));
  const fields = read.flatMap((one): readonly RoutePart[] => {
    const { key, index } = one;
    if (key === undefined) return [];
    const described = describe(one, index !== initialised && !told.has(key));
    return [{ place: 'body', key, index, ...described }];
  });
  return [...wholes, ...fields].sort((a, b) => a.index - b.index);
}

/** The methods whose requests usually have a body. */
const WRITING: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** A body without a parameter: `@ApiBody` documents it, or the method reads it from `@Req()` or `@RawBody()`. */
function unreadBodyParts(
  { host, methodName }: RouteMethod,
  { method }: ResolvedRoute,
  parameters: readonly RouteParameter[],
  documented: readonly ParameterDocumentation[],
): readonly RoutePart[] {
  if (!WRITING.includes(method) || parameters.some(({ place }) => place === 'body')) return [];
  const index = parameters.length;
  const told = documented.find(({ place }) => place === 'body');
  if (told?.schema) {
    const { schema, required = true, description } = told;
    const described = { ...schema, ...(description !== undefined && { description }) };
    return wholeParts('body', index, { schema: described, required });
  }
  return takesRequest(host, methodName)
    ? wholeParts('body', index, {
        schema: { type: 'object', additionalProperties: true },
        required: false,
      })
    : [];
}
