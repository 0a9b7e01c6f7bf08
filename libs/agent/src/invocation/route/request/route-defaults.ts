import type { DiscoveredTool, ResolvedRoute } from '../../../discovery';
import { snakeCase, type ToolTraits } from '../../../tool';

/** The name of a route's tool, where it was given none: `OrdersController.findAll` → `orders_find_all`. */
export function withRouteName(discovered: DiscoveredTool): DiscoveredTool {
  const { host, methodName, options } = discovered;
  if (options.name !== undefined) return discovered;
  const controller = host.name.replace(/Controller$/, '') || host.name;
  const name = `${snakeCase(controller)}_${snakeCase(methodName)}`;
  return { ...discovered, options: { ...options, name } };
}

/** What can be said of a route that nobody described: `Find one: GET /orders/{id}`. */
export function routeInWords(methodName: string, { method, path }: ResolvedRoute): string {
  const words = snakeCase(methodName).replaceAll('_', ' ');
  const template = path.replace(/[:*](\w+)/g, '{$1}');
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return `${sentence}: ${method === 'ALL' ? 'any method of' : method} ${template}`;
}

/** A route for every method is called as its parameters suggest, unless `@Tool({ method })` says. */
export function withMethod(route: ResolvedRoute, hasBody: boolean): ResolvedRoute {
  return route.method === 'ALL' ? { ...route, method: hasBody ? 'POST' : 'GET' } : route;
}

/** What a method of HTTP says of a tool, where its options say nothing. */
export function withTraitsOf<Options extends object>(
  method: string,
  options: Options,
): Options & Partial<ToolTraits> {
  const traits: Partial<ToolTraits> = {
    readOnly: method === 'GET' || method === 'HEAD',
    destructive: method === 'DELETE',
    idempotent: method === 'PUT' || method === 'DELETE',
  };
  // An option given as `undefined` is one not given.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...traits, ...(Object.fromEntries(given) as Options) };
}
