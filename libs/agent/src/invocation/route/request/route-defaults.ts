import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { type DiscoveredTool, READING_METHODS, type ResolvedRoute } from '../../../discovery';
import { capitalised } from '../../../internal';
import { snakeCase, type ToolTraits } from '../../../tool';

/** The default name of a route's tool: `OrdersController.findAll` → `orders_find_all`. */
export function routeNameOf({
  host,
  methodName,
}: Pick<DiscoveredTool, 'host' | 'methodName'>): string {
  const controller = MADE_NAME.test(host.name)
    ? nameByPath(host)
    : host.name.replace(/Controller$/, '') || host.name;
  return [controller, methodName].filter(Boolean).map(snakeCase).join('_');
}

/** The name of a class without one, and the random name that `mixin()` of Nest gives, other at each start. */
const MADE_NAME = /^([\da-f]{21})?$/;

/** A controller's path without its parameters: `companies/:id/users` → `companies_users`. */
function nameByPath(host: Type<unknown>): string {
  const paths = Reflect.getMetadata(PATH_METADATA, host) as string | readonly string[] | undefined;
  const [path = ''] = [paths ?? []].flat();
  return path
    .split('/')
    .filter((segment) => !/[:*]/.test(segment))
    .map((segment) => segment.replace(/\W+/g, '_'))
    .filter(Boolean)
    .join('_');
}

/** The route with the default name, unless it has one. */
export function withRouteName(discovered: DiscoveredTool): DiscoveredTool {
  const { options } = discovered;
  if (options.name !== undefined) return discovered;
  return { ...discovered, options: { ...options, name: routeNameOf(discovered) } };
}

/** The default description of a route: `Find one: GET /orders/{id}`. */
export function routeInWords(methodName: string, { method, path }: ResolvedRoute): string {
  const words = snakeCase(methodName).replaceAll('_', ' ');
  const template = path.replace(/[:*](\w+)/g, '{$1}');
  return `${capitalised(words)}: ${method === 'ALL' ? 'any method of' : method} ${template}`;
}

/**
 * The method of a call; for a route of all methods, chosen by its parameters or `@Tool({ method
 * })`.
 */
export function withMethod(route: ResolvedRoute, readsBody: boolean): ResolvedRoute {
  return route.method === 'ALL' ? { ...route, method: readsBody ? 'POST' : 'GET' } : route;
}

/** The default traits by HTTP method. */
export function withTraitsOf<Options extends object>(
  method: string,
  options: Options,
): Options & Partial<ToolTraits> {
  const traits: Partial<ToolTraits> = {
    readOnly: READING_METHODS.has(method),
    destructive: method === 'DELETE',
    idempotent: method === 'PUT' || method === 'DELETE',
    ...((method === 'PUT' || method === 'PATCH') && { overwrites: true }),
  };
  // `undefined` counts as unset.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...traits, ...(Object.fromEntries(given) as Options) };
}
