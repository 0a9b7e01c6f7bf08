import { Injectable, type Type } from '@nestjs/common';
import { HttpAdapterHost, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { findMyWayPath, findMyWayReader, isTriedBefore } from './route-find-my-way-reader';
import { canMeet } from './route-host';
import type { PathToken } from './route-pattern';
import { expressReader, type PathReader } from './route-reader';
import {
  type ResolvedRoute,
  type RouteDeclaration,
  type RoutePlace,
  RouteResolver,
} from './route.resolver';
import { routerRulesOf } from './router-rules';

/** What the router makes of the encoded paths that are made for a route. */
export interface RouteSurroundings {
  /** The values that it reads from one. */
  readonly read: PathReader;
  /** The paths, as they were declared, of the other routes that it may take one to. */
  readonly takersOf: (path: string) => readonly string[];
}

type RouteMethod = Pick<RouteDeclaration, 'host' | 'wrapper' | 'methodName'>;

interface KnownPlace extends RoutePlace, RouteMethod {
  readonly pattern: readonly PathToken[];
}

/**
 * Knows what stands beside a route: a value in its path must not lead to another one, as `secret`
 * does in `/items/:id` where there is an `/items/secret`.
 */
@Injectable()
export class RouteNeighbours {
  private known: readonly KnownPlace[] | undefined;

  constructor(
    private readonly resolver: RouteResolver,
    private readonly adapterHost: HttpAdapterHost,
    private readonly modules: ModulesContainer,
  ) {}

  /**
   * @param method the route's tool
   * @param route where its requests go
   * @param hostname the host that they go to where the route wants none
   */
  of(method: RouteMethod, route: ResolvedRoute, hostname: string): RouteSurroundings {
    const rules = routerRulesOf(this.adapterHost);
    const isFastify = rules.type === 'fastify';
    const readerOf = (pattern: readonly PathToken[]): PathReader =>
      isFastify ? findMyWayReader(pattern, rules) : expressReader(pattern, rules.isCaseSensitive);
    const seen = (path: string) => (isFastify ? findMyWayPath(path) : path);
    const readOwn = readerOf(route.pattern);
    const all = this.all();
    const own = all.findLastIndex((place) => isSame(place, method));
    const neighbours = all.flatMap((place, at) => {
      if (isSame(place, method) || !isNear(place, route)) return [];
      if (!this.isReachable(place, route, hostname)) return [];
      const isDeclaredBefore = at < own;
      const isFirst = isFastify
        ? isTriedBefore(place.pattern, route.pattern, isDeclaredBefore)
        : isDeclaredBefore;
      return { path: place.path, read: readerOf(place.pattern), isFirst };
    });
    return {
      read: (path) => readOwn(seen(path) ?? ''),
      takersOf: (path) => {
        const one = seen(path) ?? '';
        const isOwn = readOwn(one) !== undefined;
        return neighbours
          .filter(({ read, isFirst }) => (isFirst || !isOwn) && read(one) !== undefined)
          .map((neighbour) => neighbour.path);
      },
    };
  }

  /** In the order in which Nest hands them to the router. */
  private all(): readonly KnownPlace[] {
    return (this.known ??= [...this.modules.values()].flatMap(({ controllers }) =>
      [...controllers.values()].flatMap((wrapper) =>
        methodsOf(wrapper.metatype as Type<unknown>).flatMap((method) =>
          this.placesOf({ ...method, wrapper }),
        ),
      ),
    ));
  }

  /** Nothing where a path, of a route that need be no tool, is only known to the router. */
  private placesOf(route: RouteMethod): readonly KnownPlace[] {
    return this.resolver.places(route).flatMap((place) => {
      const pattern = this.resolver.patternOf(place.path);
      return pattern ? { ...route, ...place, pattern } : [];
    });
  }

  /** Whether a place may serve the requests of a route. */
  private isReachable(place: KnownPlace, route: ResolvedRoute, hostname: string): boolean {
    // Routers answer HEAD by GET, too.
    const methods = [route.method, 'ALL', ...(route.method === 'HEAD' ? ['GET'] : [])];
    if (!methods.includes(place.method)) return false;
    const isServed =
      !place.hosts ||
      (route.hosts ? canMeet(place.hosts, route.hosts) : place.hosts.matches(hostname));
    return isServed && this.resolver.isAskedFor(place, route);
  }
}

function methodsOf(host: Type<unknown>): readonly Pick<RouteMethod, 'host' | 'methodName'>[] {
  const names = new MetadataScanner().getAllMethodNames(host.prototype as object);
  return names.map((methodName) => ({ host, methodName }));
}

function isSame(one: Pick<RouteMethod, 'host' | 'methodName'>, other: typeof one): boolean {
  return one.host === other.host && one.methodName === other.methodName;
}

/** Whether the texts before any parameter allow for one path of both. */
function isNear(place: KnownPlace, own: ResolvedRoute): boolean {
  const [ofPlace, ofOwn] = [startOf(place.pattern), startOf(own.pattern)];
  return ofPlace.startsWith(ofOwn) || ofOwn.startsWith(ofPlace);
}

function startOf([first]: readonly PathToken[]): string {
  return first?.type === 'text' ? first.value.toLowerCase() : '';
}
