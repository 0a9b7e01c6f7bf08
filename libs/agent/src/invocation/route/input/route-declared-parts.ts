import { type ResolvedRoute, pathParametersOf } from '../../../discovery';
import { type Describe, describerOf, type RouteMethod } from './route-describer';
import { documentedParametersOf, type ParameterDocumentation } from './route-documentation';
import type { RouteHeaderRules } from './route-header-rules';
import {
  routeParametersOf,
  type RouteParameter,
  takesRequest,
  type ParameterPlace,
} from './route-parameter';
import { joinedPart } from './route-parameter-schema';
import { isFlat, type RoutePart, wholeParts, propertyOf } from './route-part';
import { methodOf } from '../../../schema';
import type { JsonSchema } from '../../../tool';

/** The parameters that a method's decorators declare. */
interface Declared {
  readonly parameters: readonly RouteParameter[];
  readonly documented: readonly ParameterDocumentation[];
  readonly describe: Describe;
}

/** The parts of a request that a method's decorators and types declare. */
export function declaredPartsOf(
  method: RouteMethod,
  route: ResolvedRoute,
  rules: RouteHeaderRules,
): readonly RoutePart[] {
  const parameters = routeParametersOf(method.host, method.methodName);
  const documented = documentedParametersOf(method.host, method.methodName);
  const declared = { parameters, documented, describe: describerOf(method, documented) };
  const parts = [
    ...pathParts(declared, route),
    ...queryParts(declared),
    ...headerParts(declared, rules),
    ...documentedParts('header', declared).filter(
      ({ key }) => key !== undefined && rules.isInput(key.toLowerCase()),
    ),
    ...bodyParts(declared, initialisedFrom(method)),
    ...unreadBodyParts(declared, method, route),
  ];
  // The version's header or query parameter is fixed.
  return parts.filter(
    ({ place, key = '' }) =>
      !(place === 'query' && Object.hasOwn(route.query, key)) &&
      !(place === 'header' && key.toLowerCase() in route.headers) &&
      !(place === 'header' && key.toLowerCase() === route.versionHeader),
  );
}

function queryParts(declared: Declared): readonly RoutePart[] {
  const { parameters, documented, describe } = declared;
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
  const named = isTold ? [] : documentedParts('query', declared);
  const isOpen = ({ key }: RoutePart): boolean => key === undefined;
  return [...(named.length > 0 ? read.filter((part) => !isOpen(part)) : read), ...named];
}

function headerParts(
  { parameters, describe }: Declared,
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
  return methodOf(host, methodName)?.length ?? 0;
}

function bodyParts({ parameters, describe }: Declared, initialised: number): readonly RoutePart[] {
  const read = parameters.filter(({ place }) => place === 'body');
  const wholes = read
    .filter(({ key }) => key === undefined)
    .flatMap((one) => wholeParts('body', one.index, describe(one, one.index !== initialised)));
  // A DTO knows which of its fields are optional.
  const named = new Set(wholes.map(({ key }) => key));
  const fields = read.flatMap((one): readonly RoutePart[] => {
    const { key, index } = one;
    if (key === undefined) return [];
    const described = describe(one, index !== initialised && !named.has(key));
    return [{ place: 'body', key, index, ...described }];
  });
  return [...wholes, ...fields].sort((a, b) => a.index - b.index);
}

/** The methods whose requests usually have a body. */
const WRITING: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** A body without a parameter: `@ApiBody` documents it, or the method reads it from `@Req()` or `@RawBody()`. */
function unreadBodyParts(
  { parameters, documented }: Declared,
  { host, methodName }: RouteMethod,
  { method }: ResolvedRoute,
): readonly RoutePart[] {
  if (!WRITING.includes(method) || parameters.some(({ place }) => place === 'body')) return [];
  const index = parameters.length;
  const body = documented.find(({ place }) => place === 'body');
  if (body?.schema) {
    const { schema, required = true, description } = body;
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

/** Every parameter of a route's path. */
function pathParts(declared: Declared, { pattern }: ResolvedRoute): readonly RoutePart[] {
  const { describe } = declared;
  const read = declared.parameters.filter(({ place }) => place === 'path');
  const wholes = read.filter(({ key }) => !key).map((one) => describe(one, true).schema);
  const unread = documentedParts('path', declared);
  return pathParametersOf(pattern).map(({ name, isOptional, isWildcard }, position) => {
    const parameter = read.find(({ key }) => key === name);
    const described = parameter && describe(parameter, true);
    const schema = described?.schema ??
      wholes.map((one) => propertyOf(one, name)).find(Boolean) ??
      unread.find(({ key }) => key === name)?.schema ?? { type: 'string' };
    return {
      place: 'path',
      key: name,
      index: parameter?.index ?? position,
      required: !isOptional,
      schema: isWildcard ? wildcardSchema(schema) : schema,
      ...(!isWildcard && described?.separator !== undefined && { separator: described.separator }),
    };
  });
}

/** A router may pass a wildcard as a list; the model writes it as a path. */
function wildcardSchema({ description }: JsonSchema): JsonSchema {
  const form = 'One or more path segments, parted by slashes; no slash at either end';
  return {
    type: 'string',
    description: description === undefined ? form : `${description}. ${form}`,
  };
}

/** Documented parts that the method reads in another way. */
function documentedParts(
  wanted: ParameterPlace,
  { parameters, documented }: Declared,
): readonly RoutePart[] {
  const same = (a?: string, b?: string) => a?.toLowerCase() === b?.toLowerCase();
  return documented.flatMap((one, position) => {
    const { place, name, schema, description, required } = one;
    if (place !== wanted || name === undefined) return [];
    if (parameters.some((other) => other.place === place && same(other.key, name))) return [];
    return [
      {
        place,
        key: name,
        index: parameters.length + position,
        required: required ?? false,
        schema: { ...(schema ?? { type: 'string' }), ...(description && { description }) },
        ...joinedPart(one),
      },
    ];
  });
}
