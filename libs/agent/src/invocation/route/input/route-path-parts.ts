import { pathParametersOf, type ResolvedRoute } from '../../../discovery';
import type { JsonSchema } from '../../../tool';
import type { Describe } from './route-describer';
import type { ParameterDocumentation } from './route-documentation';
import { documentedParts } from './route-documented-parts';
import type { RouteParameter } from './route-parameter';
import { propertyOf, type RoutePart } from './route-part';

/** Every parameter of a route's path. */
export function pathParts(
  { pattern }: ResolvedRoute,
  parameters: readonly RouteParameter[],
  describe: Describe,
  documented: readonly ParameterDocumentation[],
): readonly RoutePart[] {
  const declared = parameters.filter(({ place }) => place === 'path');
  const whole = declared.find(({ key }) => key === undefined);
  const wholeSchema = whole && describe(whole, true).schema;
  const unread = documentedParts('path', parameters, documented);
  return pathParametersOf(pattern).map(({ name, isOptional, isWildcard }, position) => {
    const parameter = declared.find(({ key }) => key === name);
    const described = parameter && describe(parameter, true);
    const schema = described?.schema ??
      propertyOf(wholeSchema, name) ??
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
