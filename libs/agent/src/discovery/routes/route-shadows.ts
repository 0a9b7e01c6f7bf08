import { Injectable, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { getOrAdd } from '../../internal';
import { type RouteMethod, type RoutePlace, RouteResolver } from './route.resolver';

interface Standing extends RoutePlace {
  readonly host: Type<unknown>;
  readonly methodName: string;
}

/**
 * Finds an earlier handler for the same method and path, which receives every request of the later
 * one. Only used by the boot report: a call checks at run time which handler it reached.
 */
@Injectable()
export class RouteShadows {
  private known: ReadonlyMap<string, readonly Standing[]> | undefined;

  constructor(
    private readonly resolver: RouteResolver,
    private readonly modules: ModulesContainer,
  ) {}

  /** The earlier handler, as `OrdersController.find`, if there is one. */
  over(route: RouteMethod): string | undefined {
    const [place] = this.resolver.places(route);
    if (!place) return undefined;
    for (const other of this.all().get(shapeOf(place.path)) ?? []) {
      if (other.host === route.host && other.methodName === route.methodName) return undefined;
      if (takesAll(other, place)) return `${other.host.name}.${other.methodName}`;
    }
    return undefined;
  }

  /** By path, in the order in which Nest passes them to the router. */
  private all(): ReadonlyMap<string, readonly Standing[]> {
    if (this.known) return this.known;
    const known = new Map<string, Standing[]>();
    const scanner = new MetadataScanner();
    for (const wrapper of [...this.modules.values()].flatMap((one) => [
      ...one.controllers.values(),
    ])) {
      const host = wrapper.metatype as Type<unknown>;
      for (const methodName of scanner.getAllMethodNames(host.prototype as object)) {
        for (const place of this.resolver.places({ host, wrapper, methodName })) {
          const standing = { ...place, host, methodName };
          getOrAdd(known, shapeOf(place.path), (): Standing[] => []).push(standing);
        }
      }
    }
    return (this.known = known);
  }
}

/** Whether the earlier place matches every request for the later one. */
function takesAll(earlier: RoutePlace, place: RoutePlace): boolean {
  return (
    (earlier.method === 'ALL' || earlier.method === place.method) &&
    (earlier.hosts === undefined || earlier.hosts.declared === place.hosts?.declared) &&
    (earlier.version === place.version || earlier.version === VERSION_NEUTRAL)
  );
}

/** A path without parameter names, which do not affect matching. */
function shapeOf(path: string): string {
  return path.replace(/([:*])[\w$]+/g, '$1');
}
