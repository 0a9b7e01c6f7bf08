import type { Type } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { defined } from '../../../internal';
import { methodOf, pipeSchemaOf, typesOf } from '../../../schema';
import { type JsonSchema, ToolDeclarationError } from '../../../tool';
import { enhancersOn } from '../../enhancers';

/** A parameter's place in a request. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'body';

/** A parameter of a controller method that the request fills. */
export interface RouteParameter {
  readonly place: ParameterPlace;
  /** The name in Nest's decorator; missing for the whole query, path or body. */
  readonly key?: string;
  readonly index: number;
  /** In Nest's order; those of `@UsePipes()` only where they are known to be written for it. */
  readonly pipes: readonly unknown[];
  /** TypeScript's recorded type. */
  readonly type?: unknown;
  /** A Standard Schema in Nest's decorator. */
  readonly schema?: unknown;
}

interface RouteArgument {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes?: readonly unknown[];
  readonly schema?: unknown;
}

const PLACES: Readonly<Record<string, ParameterPlace>> = {
  [RouteParamtypes.PARAM]: 'path',
  [RouteParamtypes.QUERY]: 'query',
  [RouteParamtypes.HEADERS]: 'header',
  [RouteParamtypes.BODY]: 'body',
};

/**
 * The parameters of a controller method from path, query, headers and body, in order. Custom
 * decorators, `@Req()`, `@Ip()`, `@Session()` and similar ones are excluded.
 */
export function routeParametersOf(
  host: Type<unknown>,
  methodName: string,
): readonly RouteParameter[] {
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, host.prototype as object, methodName) ??
    []) as readonly unknown[];
  const parameters = routeArgumentsOf(host, methodName)
    .flatMap<RouteParameter>(([paramtype, { index, data, pipes = [], schema }]) => {
      const place = PLACES[paramtype];
      if (!place) return [];
      // TypeScript records `Function` for a class that is imported by `import type`.
      const type = types[index] === Function ? Object : types[index];
      const key = typeof data === 'string' && data !== '' ? data : undefined;
      return [defined({ place, index, pipes, type, key, schema })];
    })
    .sort((a, b) => a.index - b.index);
  const shared = sharedPipesOf(host, methodName);
  if (shared.length === 0) return parameters;
  const wholes = parameters.filter(({ place, key }) => place !== 'header' && key === undefined);
  return parameters.map((one) =>
    wholes.length === 1 && one === wholes[0] ? { ...one, pipes: [...shared, ...one.pipes] } : one,
  );
}

/**
 * The pipes of the method's own `@UsePipes()` that take an object or a list. They get every
 * parameter, and let those pass that they are not written for: one for single values lets a whole
 * body pass, and one of the class may be written for another method. So may one whose schema has no
 * JSON Schema, which nothing is known of.
 */
function sharedPipesOf(host: Type<unknown>, methodName: string): readonly unknown[] {
  const handler = methodOf(host, methodName) ?? {};
  return enhancersOn(handler, 'pipe').filter(takesWhole);
}

function takesWhole(pipe: unknown): boolean {
  try {
    const { schema } = pipeSchemaOf([pipe], { isTextTaken: false });
    return schema !== undefined && mayBeWhole(schema);
  } catch (error) {
    if (error instanceof ToolDeclarationError) return false;
    throw error;
  }
}

/** Whether an object or a list may fit. */
function mayBeWhole({ type, anyOf, oneOf }: JsonSchema): boolean {
  const types = typesOf(type);
  if (types.length > 0) return types.includes('object') || types.includes('array');
  const branches = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
  return branches === undefined || branches.some(mayBeWhole);
}

/** Whether a method gets the whole request, or its body's bytes, so that it may read any body. */
export function takesRequest(host: Type<unknown>, methodName: string): boolean {
  return routeArgumentsOf(host, methodName).some(
    ([paramtype]) =>
      paramtype === String(RouteParamtypes.REQUEST) ||
      paramtype === String(RouteParamtypes.RAW_BODY),
  );
}

/** Whether a method takes the request's body, or a part of it. */
export function takesBody(host: Type<unknown>, methodName: string): boolean {
  return routeParametersOf(host, methodName).some(({ place }) => place === 'body');
}

/** Whether a method takes uploaded files. */
export function takesUploads(host: Type<unknown>, methodName: string): boolean {
  return routeArgumentsOf(host, methodName).some(
    ([paramtype]) =>
      paramtype === String(RouteParamtypes.FILE) || paramtype === String(RouteParamtypes.FILES),
  );
}

/** Nest's metadata: `<paramtype>:<index>` → argument; custom decorators have other keys. */
function routeArgumentsOf(
  host: Type<unknown>,
  methodName: string,
): readonly (readonly [paramtype: string, argument: RouteArgument])[] {
  const metadata = (Reflect.getMetadata(ROUTE_ARGS_METADATA, host, methodName) ?? {}) as Readonly<
    Record<string, RouteArgument>
  >;
  return Object.entries(metadata).map(([key, argument]) => [key.split(':')[0] ?? '', argument]);
}
