import type { ResolvedRoute } from '../../discovery';
import type { JsonSchema } from '../../tool';
import { type Describe, describerOf, type RouteMethod } from './route-describer';
import { documentedParametersOf } from './route-documentation';
import { documentedParts } from './route-documented-parts';
import type { RouteHeaderRules } from './route-header-rules';
import { routeParametersOf, type RouteParameter } from './route-parameter';
import { propertyParts, type RoutePart } from './route-part';
import { pathParts } from './route-path-parts';

/** What the decorators and types of a method say that it reads from a request. */
export function declaredPartsOf(
  method: RouteMethod,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): readonly RoutePart[] {
  const parameters = routeParametersOf(method.host, method.methodName);
  const documented = documentedParametersOf(method.host, method.methodName);
  const describe = describerOf(method, documented);
  const declared = [
    ...pathParts(route, parameters, describe),
    ...queryParts(parameters, describe),
    ...documentedParts('query', parameters, documented),
    ...headerParts(parameters, describe, rules),
    ...documentedParts('header', parameters, documented).filter(
      ({ key }) => key !== undefined && rules.isInput(key.toLowerCase()),
    ),
    ...bodyParts(parameters, describe, initialisedFrom(method)),
  ];
  // What the version wants is no one's to choose.
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
): readonly RoutePart[] {
  return parameters
    .filter(({ place }) => place === 'query')
    .flatMap((parameter) => {
      // A query without a pipe may always be missing: TypeScript's `?` leaves no trace.
      const described = describe(parameter, false);
      return parameter.key === undefined
        ? propertyParts('query', parameter.index, described.schema)
        : [{ place: 'query' as const, key: parameter.key, index: parameter.index, ...described }];
    });
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

/** The first parameter with an initialiser, which may be left out; later ones cannot be told. */
function initialisedFrom({ host, methodName }: RouteMethod): number {
  return (host.prototype as Record<string, { readonly length: number }>)[methodName]?.length ?? 0;
}

function bodyParts(
  parameters: readonly RouteParameter[],
  describe: Describe,
  initialised: number,
): readonly RoutePart[] {
  return parameters
    .filter(({ place }) => place === 'body')
    .flatMap((parameter) => {
      const { key, index } = parameter;
      const described = describe(parameter, index !== initialised);
      if (key !== undefined) return [{ place: 'body' as const, key, index, ...described }];
      return isFlat(described.schema)
        ? propertyParts('body', index, described.schema)
        : [{ place: 'body' as const, index, ...described }];
    });
}

/** An object of known properties and no others, whose properties can stand beside others. */
function isFlat(schema: JsonSchema): boolean {
  return (
    schema.type === 'object' &&
    schema.properties !== undefined &&
    (schema.additionalProperties === undefined || schema.additionalProperties === false) &&
    !['oneOf', 'anyOf', 'allOf', 'if', 'patternProperties', '$ref'].some((word) => word in schema)
  );
}
