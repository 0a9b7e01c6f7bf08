import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { HttpAdapterHost } from '@nestjs/core';
import { BootReport } from '../tool';
import { servedBy } from './endpoint';

/** The used part of a route in Express's stack. */
interface ExpressLayer {
  match(path: string): boolean;
  readonly route?: {
    readonly path: unknown;
    readonly methods: Readonly<Record<string, boolean>>;
    readonly stack: readonly { readonly handle: object }[];
  };
}

interface MountedRoute {
  /** As named in the report. */
  readonly name: string;
  readonly path: string;
  readonly method: string;
  readonly handler: object;
  readonly layer: ExpressLayer;
}

/**
 * Reports at boot the routes of the application that precede the agent's endpoints and match them
 * too, such as an `@All('*path')`. It reads Express's own router, once all routes are mounted.
 * Fastify's router prefers the more specific path, regardless of order.
 */
@Injectable()
export class HiddenEndpoints implements OnApplicationBootstrap {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly report: BootReport,
  ) {}

  onApplicationBootstrap(): void {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() !== 'express') return;
    const { router } = httpAdapter.getInstance<{ router?: { stack?: ExpressLayer[] } }>();
    for (const [hiding, hidden] of hiddenIn(routesOf(router?.stack ?? []))) {
      const [first] = hidden;
      const others = hidden.length > 1 ? ` and ${hidden.length - 1} more` : '';
      this.report.add(
        "The agent's own endpoints",
        `The route ${hiding} comes first and matches ${first}${others}. Declare it in a module that is imported after AgentModule, not in the application's own, whose routes always come first, or leave the agent's path out of it.`,
      );
    }
  }
}

/** The hidden endpoints, by the first route that receives their requests. */
function hiddenIn(routes: readonly MountedRoute[]): ReadonlyMap<string, readonly string[]> {
  const hidden = new Map<string, string[]>();
  const earlier: MountedRoute[] = [];
  for (const route of routes) {
    if (servedBy(route.handler) === undefined) {
      earlier.push(route);
      continue;
    }
    const example = route.path.replaceAll(/:\w+/g, 'x');
    const hiding = earlier.find(
      ({ method, layer }) => method === route.method && layer.match(example),
    );
    if (hiding === undefined) continue;
    hidden.set(hiding.name, [...(hidden.get(hiding.name) ?? []), route.name]);
  }
  return hidden;
}

/** Handlers of controllers only: other layers may be middleware that passes requests on. */
function routesOf(stack: readonly ExpressLayer[]): readonly MountedRoute[] {
  return stack.flatMap((layer) => {
    const handler = layer.route?.stack[0]?.handle;
    const path = layer.route?.path;
    if (handler === undefined || typeof path !== 'string') return [];
    if (!Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    const methods = Object.keys(layer.route?.methods ?? {});
    const isForAll = methods.length > 1;
    return methods.map((method) => {
      const name = `${isForAll ? 'ALL' : method.toUpperCase()} ${path}`;
      return { name, path, method, handler, layer };
    });
  });
}
