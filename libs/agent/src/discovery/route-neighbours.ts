import { Injectable, type Type } from '@nestjs/common';
import { HttpAdapterHost, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { patternSource } from './route-pattern';
import { type RouteDeclaration, type RoutePlace, RouteResolver } from './route.resolver';

/** Whether a path, encoded, leads to one certain route. */
export type PathTest = (path: string) => boolean;

type RouteMethod = Pick<RouteDeclaration, 'host' | 'wrapper' | 'methodName'>;

/**
 * Knows what stands beside a route: a value in its path must not lead to another one, as `secret`
 * does in `/items/:id` where there is an `/items/secret`.
 */
@Injectable()
export class RouteNeighbours {
  private known: readonly (RouteMethod & { readonly place: RoutePlace })[] | undefined;

  constructor(
    private readonly resolver: RouteResolver,
    private readonly adapterHost: HttpAdapterHost,
    private readonly modules: ModulesContainer,
  ) {}

  /**
   * The other routes that a request to this one might reach.
   *
   * @param method that of the request
   */
  of(route: RouteMethod, method: string): readonly PathTest[] {
    const [own] = this.resolver.places(route);
    if (!own) return [];
    return this.all()
      .filter(({ host, methodName }) => host !== route.host || methodName !== route.methodName)
      .map(({ place }) => place)
      .filter((place) => isReachable(place, own, method) && isNear(place, own))
      .flatMap(({ path }) => this.testOf(path) ?? []);
  }

  private all(): NonNullable<typeof this.known> {
    return (this.known ??= [...this.modules.values()].flatMap(({ controllers }) =>
      [...controllers.values()].flatMap((wrapper) =>
        methodsOf(wrapper.metatype as Type<unknown>).flatMap((method) => {
          const route = { ...method, wrapper };
          return this.resolver.places(route).map((place) => ({ ...route, place }));
        }),
      ),
    ));
  }

  /** Nothing where a path, of a route that need be no tool, is only known to the router. */
  private testOf(path: string): PathTest | undefined {
    const isFastify = this.adapterHost.httpAdapter?.getType() === 'fastify';
    const pattern = this.resolver.patternOf(path);
    if (!pattern) return undefined;
    const expression = new RegExp(`^${patternSource(pattern)}/?$`, isFastify ? '' : 'i');
    // Fastify reads a path decoded, Express as it came.
    return (given) => expression.test(isFastify ? decodeURI(given) : given);
  }
}

function methodsOf(host: Type<unknown>): readonly Pick<RouteMethod, 'host' | 'methodName'>[] {
  const names = new MetadataScanner().getAllMethodNames(host.prototype as object);
  return names.map((methodName) => ({ host, methodName }));
}

/** Whether a place may serve requests that are made for another. */
function isReachable(place: RoutePlace, own: RoutePlace, method: string): boolean {
  // Routers answer HEAD by GET, too.
  const methods = [method, 'ALL', ...(method === 'HEAD' ? ['GET'] : [])];
  return (
    methods.includes(place.method) && (own.isHosted || !place.isHosted) && isAskedFor(place, own)
  );
}

function isAskedFor({ selector }: RoutePlace, own: RoutePlace): boolean {
  if (!selector || !own.selector) return true;
  const wants = [...Object.entries(selector.headers), ...Object.entries(selector.query)];
  const asked = { ...own.selector.headers, ...own.selector.query };
  return wants.every(([name, value]) => asked[name] === value);
}

/** Whether the texts before any parameter allow for one path of both. */
function isNear(place: RoutePlace, own: RoutePlace): boolean {
  const [ofPlace, ofOwn] = [fixedStart(place.path), fixedStart(own.path)];
  return ofPlace.startsWith(ofOwn) || ofOwn.startsWith(ofPlace);
}

function fixedStart(path: string): string {
  return (/^[^:*{\\(?]*/.exec(path)?.[0] ?? '').toLowerCase();
}
