import { Injectable, type Type, VERSION_NEUTRAL } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { getOrAdd } from '../../internal';
import { coverageOf, coversAll, type RouteCoverage } from './route-coverage';
import { type RouteMethod, type RoutePlace, RouteResolver } from './route.resolver';

/** A place where a controller's method is served. */
export interface ServedRoute extends RoutePlace {
  readonly host: Type<unknown>;
  readonly methodName: string;
}

interface Standing extends ServedRoute {
  /** A path without parameter names, which do not affect matching. */
  readonly shape: string;
  /** Missing where the router prefers the more exact path, whatever the order. */
  readonly coverage?: RouteCoverage;
}

/** All places, so that one is compared with few others. */
interface Standings {
  /** The first place of each method. */
  readonly byMethod: ReadonlyMap<Type<unknown>, ReadonlyMap<string, Standing>>;
  readonly byShape: ReadonlyMap<string, readonly Standing[]>;
  /** Those whose paths can match other paths, by the beginning of their URLs. */
  readonly wide: ReadonlyMap<string, readonly Standing[]>;
  /** The order in which Nest passes them to the router. */
  readonly positions: ReadonlyMap<Standing, number>;
}

/** An earlier handler, which receives every request of a later one. */
interface RouteShadow {
  /** `OrdersController.find` */
  readonly source: string;
  readonly path: string;
  /** Whether the paths differ in no more than names of parameters. */
  readonly isSamePath: boolean;
}

/**
 * Finds an earlier handler, which receives every request of a later one: that of the same path or,
 * where the first match wins, of a path that matches each of its URLs. Only used at boot: a call
 * checks at run time which handler it reached.
 */
@Injectable()
export class RouteShadows {
  private known: Standings | undefined;

  constructor(
    private readonly resolver: RouteResolver,
    private readonly modules: ModulesContainer,
  ) {}

  /** The earlier handler, if there is one. */
  over({ host, methodName }: Pick<RouteMethod, 'host' | 'methodName'>): RouteShadow | undefined {
    const known = this.standings();
    const standing = known.byMethod.get(host)?.get(methodName);
    const first = standing && firstOver(standing, known);
    if (!first || (first.host === host && first.methodName === methodName)) return undefined;
    const isSamePath = first.shape === standing.shape;
    return { source: `${first.host.name}.${first.methodName}`, path: first.path, isSamePath };
  }

  /** Each of some routes that an earlier one takes every request of, with that one. */
  among(
    isMeant: (route: ServedRoute) => boolean,
  ): readonly (readonly [ServedRoute, ServedRoute])[] {
    const known = this.standings();
    return [...known.positions.keys()].filter(isMeant).flatMap((standing) => {
      const first = firstOver(standing, known);
      return first && first !== standing ? [[standing, first] as const] : [];
    });
  }

  private standings(): Standings {
    return (this.known ??= indexed(this.all()));
  }

  /** In the order in which Nest passes them to the router. */
  private all(): readonly Standing[] {
    const scanner = new MetadataScanner();
    return [...this.modules.values()]
      .flatMap(({ controllers }) => [...controllers.values()])
      .flatMap((wrapper) => {
        const host = wrapper.metatype as Type<unknown>;
        return scanner
          .getAllMethodNames(host.prototype as object)
          .flatMap((methodName) =>
            this.resolver
              .places({ host, wrapper, methodName })
              .map((place) => this.standing(place, host, methodName)),
          )
          .sort((a, b) => a.controllerPosition - b.controllerPosition);
      });
  }

  private standing(place: RoutePlace, host: Type<unknown>, methodName: string): Standing {
    const pattern = this.resolver.orderedPatternOf(place);
    return {
      ...place,
      host,
      methodName,
      shape: place.path.replace(/([:*])[\w$]+/g, '$1'),
      ...(pattern && { coverage: coverageOf(pattern) }),
    };
  }
}

function indexed(standings: readonly Standing[]): Standings {
  const byMethod = new Map<Type<unknown>, Map<string, Standing>>();
  const byShape = new Map<string, Standing[]>();
  const wide = new Map<string, Standing[]>();
  for (const standing of standings) {
    const { host, methodName, shape, coverage } = standing;
    getOrAdd(
      getOrAdd(byMethod, host, () => new Map()),
      methodName,
      () => standing,
    );
    getOrAdd(byShape, shape, () => []).push(standing);
    if (coverage && coverage.expressions.length > 0)
      getOrAdd(wide, coverage.start, () => []).push(standing);
  }
  const positions = new Map(standings.map((standing, position) => [standing, position]));
  return { byMethod, byShape, wide, positions };
}

/** The first of all places that takes every request for one. */
function firstOver(place: Standing, { byShape, wide, positions }: Standings): Standing | undefined {
  const [url = ''] = place.coverage?.urls ?? [];
  const starts = Array.from({ length: url.length + 1 }, (_, length) => url.slice(0, length));
  const [first] = [byShape.get(place.shape), ...starts.map((start) => wide.get(start))]
    .flatMap((others = []) => others.filter((other) => takesAll(other, place)))
    .sort((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0));
  return first;
}

/** Whether the earlier place matches every request for the later one. */
function takesAll(earlier: Standing, later: Standing): boolean {
  return (
    (earlier.method === 'ALL' || earlier.method === later.method) &&
    (earlier.hosts === undefined || earlier.hosts.declared === later.hosts?.declared) &&
    takesVersion(earlier, later) &&
    (earlier.shape === later.shape || coversPath(earlier, later))
  );
}

/**
 * Nest does not filter a route without a version. A router that prefers exact paths prefers a
 * route's own version to none as well.
 */
function takesVersion({ version, coverage }: Standing, later: Standing): boolean {
  const isOfAll = version === undefined || version === VERSION_NEUTRAL;
  return version === later.version || (isOfAll && coverage !== undefined);
}

function coversPath({ coverage }: Standing, later: Standing): boolean {
  return (
    coverage !== undefined && later.coverage !== undefined && coversAll(coverage, later.coverage)
  );
}
