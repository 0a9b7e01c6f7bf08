import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { MetadataScanner } from '@nestjs/core';
import { toolMetadataOf } from '../decorators';
import { methodOf } from '../schema';
import { ToolDeclarationError, type ToolOptions } from '../tool';
import type { Component } from './component';
import { discovered, type DiscoveredTool } from './discovered-tool';
import { READING_METHODS } from './discovery.constants';
import type { ControllerExposure, ExposedRoutes } from './scan-options.interface';

/** The exposed methods of one controller. */
interface Exposure {
  readonly routes: ExposedRoutes | undefined;
  readonly tools: ReadonlyMap<string, ToolOptions>;
}

export interface ExposureWarning {
  /** The controller's name. */
  readonly source: string;
  readonly warning: string;
}

const NOTHING_EXPOSED = {
  read: "it has no GET route. Set routes: 'all' for its other routes.",
  all: 'it has no route. Handlers of messages and events cannot be tools: write a provider tool.',
  none: "set routes: 'read' or 'all', or name methods under tools.",
} as const satisfies Record<ExposedRoutes | 'none', string>;

/** The routes that `exposeControllers` asks for. */
export class Exposures {
  private readonly byController = new Map<unknown, Exposure>();
  private readonly methods = new MetadataScanner();

  constructor(exposed: readonly ControllerExposure[]) {
    for (const entry of exposed) this.add(entry);
  }

  names({ kind, host }: Component): boolean {
    return kind === 'route' && this.byController.has(host);
  }

  has(component: Component, methodName: string): boolean {
    return this.methodsOf(component).includes(methodName);
  }

  toolsOf(component: Component): readonly DiscoveredTool[] {
    const { host } = component;
    const { routes, tools } = this.of(component);
    return this.methodsOf(component).map((methodName) => {
      const decorated = toolMetadataOf(host, methodName);
      const listed = tools.get(methodName);
      return {
        ...discovered(component, methodName, { ...decorated, ...listed }),
        isDescribedByPath: routes !== undefined,
        mayBeLeftOut: decorated === undefined && listed === undefined,
      };
    });
  }

  problems(components: readonly Component[]): readonly ToolDeclarationError[] {
    const controllers = new Set(
      components.filter(({ kind }) => kind === 'route').map(({ host }) => host as unknown),
    );
    return [...this.byController].flatMap(([controller, { tools }]) => {
      const host = controller as Type<unknown>;
      if (!controllers.has(host)) {
        return new ToolDeclarationError(
          `exposeControllers: ${host.name} is no controller of this application. Import the module that declares it.`,
        );
      }
      return [...tools.keys()]
        .filter((methodName) => !isMethodOf(host, methodName))
        .map(
          (methodName) =>
            new ToolDeclarationError(
              `exposeControllers: ${host.name} has no method "${methodName}".`,
            ),
        );
    });
  }

  /** The exposed controllers of which no method becomes a tool, with the reason. */
  warnings(components: readonly Component[]): readonly ExposureWarning[] {
    return components
      .filter((component) => this.names(component) && this.methodsOf(component).length === 0)
      .map(({ host }) => {
        const reason = NOTHING_EXPOSED[this.byController.get(host)?.routes ?? 'none'];
        return { source: host.name, warning: `exposeControllers exposes nothing of it: ${reason}` };
      });
  }

  /** Several entries for one controller are merged; the last one wins per option. */
  private add(entry: ControllerExposure): void {
    const isWhole = typeof entry === 'function';
    const exposure = isWhole ? { controller: entry, routes: 'read' as const } : entry;
    const { controller, routes, tools = {} } = exposure;
    const known = this.byController.get(controller);
    this.byController.set(controller, {
      routes: known?.routes === 'all' ? 'all' : (routes ?? known?.routes),
      tools: new Map([...(known?.tools ?? []), ...Object.entries(tools)]),
    });
  }

  private of({ kind, host }: Component): Exposure {
    const none = { routes: undefined, tools: new Map<string, ToolOptions>() };
    return (kind === 'route' ? this.byController.get(host) : undefined) ?? none;
  }

  /** The controller's routes in their order, then other named methods. */
  private methodsOf(component: Component): readonly string[] {
    const { host } = component;
    const { routes, tools } = this.of(component);
    const named = [...tools.keys()].filter((methodName) => isMethodOf(host, methodName));
    if (routes === undefined) return named;
    const exposed = this.methods
      .getAllMethodNames(host.prototype as object)
      .filter((methodName) => isExposed(host, methodName, routes));
    return [...new Set([...exposed, ...named])];
  }
}

function isExposed(host: Type<unknown>, methodName: string, routes: ExposedRoutes): boolean {
  const handler = methodOf(host, methodName);
  if (handler === undefined) return false;
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method !== undefined && (routes === 'all' || READING_METHODS.has(RequestMethod[method]));
}

function isMethodOf(host: Type<unknown>, methodName: string): boolean {
  return methodName !== 'constructor' && methodOf(host, methodName) !== undefined;
}
