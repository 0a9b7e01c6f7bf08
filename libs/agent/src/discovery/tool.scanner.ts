import { Injectable, type Type } from '@nestjs/common';
import { methodOf, toolkitMetadataOf, toolMetadataOf, toolMethodsOf } from '../decorators';
import { ToolDeclarationError, type ToolOptions } from '../tool';
import type { Component } from './component';
import { ComponentFinder } from './component.finder';
import type { DiscoveredTool } from './discovered-tool.interface';
import type { ExposedController, ScanOptions } from './scan-options.interface';

/** What a scan found, and what of the declarations is wrong. */
export interface ScanResult {
  readonly tools: readonly DiscoveredTool[];
  readonly problems: readonly ToolDeclarationError[];
}

/** Finds the methods that are declared to be tools. It only reads; nothing is built or called. */
@Injectable()
export class ToolScanner {
  constructor(private readonly finder: ComponentFinder) {}

  /** Looks afresh each time, so that lazily loaded modules are seen. */
  async scan(
    scope: ScanOptions = {},
    exposed: readonly ExposedController[] = [],
  ): Promise<ScanResult> {
    const exposures = new Exposures(exposed);
    const components = await this.finder.find(
      (component) => isInScope(component, scope) || exposures.names(component),
    );
    const tools = components.flatMap((component) => [
      ...(isInScope(component, scope) ? decoratedTools(component, exposures) : []),
      ...exposures.toolsOf(component),
    ]);
    return { tools, problems: exposures.problems(components) };
  }
}

function isInScope({ host, module }: Component, scope: ScanOptions): boolean {
  const names = (types?: readonly Type<unknown>[]) =>
    types?.some((type) => type === host || type === module.metatype) ?? false;
  if (names(scope.exclude)) return false;
  if (scope.modules === undefined && scope.classes === undefined) return true;
  return (
    (scope.modules?.includes(module.metatype) ?? false) || (scope.classes?.includes(host) ?? false)
  );
}

function decoratedTools(component: Component, exposures: Exposures): readonly DiscoveredTool[] {
  return toolMethodsOf(component.host)
    .filter((methodName) => !exposures.has(component, methodName))
    .map((methodName) =>
      discovered(component, methodName, toolMetadataOf(component.host, methodName) ?? {}),
    );
}

function discovered(
  component: Component,
  methodName: string,
  options: ToolOptions,
): DiscoveredTool {
  const { kind, host, instance, wrapper } = component;
  const toolkit = toolkitMetadataOf(host);
  return {
    kind,
    host,
    wrapper,
    methodName,
    options,
    source: `${host.name}.${methodName}`,
    ...(instance === undefined ? {} : { instance }),
    ...(toolkit === undefined ? {} : { toolkit }),
  };
}

/** The routes that `exposeControllers` lists. */
class Exposures {
  private readonly options = new Map<unknown, Map<string, ToolOptions>>();

  constructor(exposed: readonly ExposedController[]) {
    for (const { controller, tools } of exposed) {
      const known = this.options.get(controller) ?? new Map<string, ToolOptions>();
      for (const [methodName, options] of Object.entries(tools)) known.set(methodName, options);
      this.options.set(controller, known);
    }
  }

  names({ kind, host }: Component): boolean {
    return kind === 'route' && this.options.has(host);
  }

  has({ kind, host }: Component, methodName: string): boolean {
    return kind === 'route' && (this.options.get(host)?.has(methodName) ?? false);
  }

  toolsOf(component: Component): readonly DiscoveredTool[] {
    const { kind, host } = component;
    if (kind !== 'route') return [];
    return [...(this.options.get(host) ?? [])]
      .filter(([methodName]) => isMethodOf(host, methodName))
      .map(([methodName, options]) =>
        discovered(component, methodName, { ...toolMetadataOf(host, methodName), ...options }),
      );
  }

  problems(components: readonly Component[]): readonly ToolDeclarationError[] {
    const controllers = new Set(
      components.filter(({ kind }) => kind === 'route').map(({ host }) => host as unknown),
    );
    return [...this.options].flatMap(([controller, tools]) => {
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
}

function isMethodOf(host: Type<unknown>, methodName: string): boolean {
  return methodName !== 'constructor' && methodOf(host, methodName) !== undefined;
}
