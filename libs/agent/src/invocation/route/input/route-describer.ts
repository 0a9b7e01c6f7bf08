import type { Type } from '@nestjs/common';
import { toolParamsOf } from '../../../decorators';
import { methodOf } from '../../../schema';
import { enhancersOn } from '../../enhancers';
import type { ParameterDocumentation } from './route-documentation';
import type { RouteParameter } from './route-parameter';
import { describeParameter, type DescribedParameter } from './route-parameter-schema';
import { propertyOf } from './route-part';

/** The method of a controller that serves a route. */
export interface RouteMethod {
  readonly host: Type<unknown>;
  readonly methodName: string;
  /** Whether the application's query parser makes objects of names with brackets. */
  readonly hasNestedQuery: boolean;
  /** The pipes of the whole application; of those made for each request, their classes. */
  readonly globalPipes: readonly unknown[];
}

/** Describes a parameter; `fallsBack` is the default of `required`. */
export type Describe = (parameter: RouteParameter, fallsBack: boolean) => DescribedParameter;

/** The descriptions of a method's parameters from all decorators. */
export function describerOf(
  method: RouteMethod,
  documented: readonly ParameterDocumentation[],
): Describe {
  const { host, methodName, hasNestedQuery } = method;
  const hints = toolParamsOf(host, methodName);
  const outerPipes = outerPipesOf(method);
  return (parameter, fallsBack) => {
    const { place, key, index } = parameter;
    const documentation =
      place === 'body'
        ? bodyOf(documented, key)
        : documented.find((entry) => entry.place === place && isNamed(entry, key));
    const { options, described } = hints.get(index) ?? {};
    const facts = { hints: options, described, documentation };
    const sources = { fallsBack, hasNestedQuery, outerPipes, ...facts };
    return describeParameter(parameter, sources);
  };
}

/** The pipes of the application, the class and the method, in Nest's order. */
export function outerPipesOf({ host, methodName, globalPipes }: RouteMethod): readonly unknown[] {
  const handler = methodOf(host, methodName) ?? {};
  return [...globalPipes, ...[host, handler].flatMap((target) => enhancersOn(target, 'pipe'))];
}

/** The documentation of the body, or of its field that a parameter reads. */
function bodyOf(
  documented: readonly ParameterDocumentation[],
  key: string | undefined,
): ParameterDocumentation | undefined {
  const body = documented.find(({ place }) => place === 'body');
  if (key === undefined) return body;
  const schema = propertyOf(body?.schema, key);
  // Many documents list no required fields, which proves nothing.
  const { required } = body?.schema ?? {};
  return schema && { place: 'body', schema, ...(required && { required: required.includes(key) }) };
}

/** Headers are documented and read in any case: `If-Match` and `if-match`. */
function isNamed({ place, name }: ParameterDocumentation, key: string | undefined): boolean {
  return place === 'header' ? name?.toLowerCase() === key?.toLowerCase() : name === key;
}
