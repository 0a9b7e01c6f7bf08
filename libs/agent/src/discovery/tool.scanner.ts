import { Injectable, type Type } from '@nestjs/common';
import { markedMethodsOf, toolMetadataOf, toolMethodsOf } from '../decorators';
import type { ToolDeclarationError } from '../tool';
import type { Component } from './component';
import { ComponentFinder } from './component.finder';
import { type ExposureWarning, Exposures } from './controller-exposures';
import { discovered, type DiscoveredTool } from './discovered-tool';
import type { ControllerExposure, ScanOptions } from './scan-options.interface';

/** The tools that a scan found, and the problems and warnings of their declarations. */
interface ScanResult {
  readonly tools: readonly DiscoveredTool[];
  readonly problems: readonly ToolDeclarationError[];
  readonly warnings: readonly ExposureWarning[];
}

/** Finds the methods declared as tools. Read-only: it builds and calls nothing. */
@Injectable()
export class ToolScanner {
  constructor(private readonly finder: ComponentFinder) {}

  /** Scans again on each call, so that lazily loaded modules are found. */
  async scan(
    scope: ScanOptions = {},
    exposed: readonly ControllerExposure[] = [],
  ): Promise<ScanResult> {
    const exposures = new Exposures(exposed);
    const components = await this.finder.find(
      (component) => isInScope(component, scope) || exposures.names(component),
    );
    const tools = components.flatMap((component) => [
      ...(isInScope(component, scope) ? decoratedTools(component, exposures) : []),
      ...exposures.toolsOf(component),
    ]);
    return {
      tools,
      problems: exposures.problems(components),
      warnings: exposures.warnings(components),
    };
  }

  /** The methods that another decorator marks; they are tools in no registry, without options yet. */
  async marked(key: symbol, scope: ScanOptions = {}): Promise<readonly DiscoveredTool[]> {
    const components = await this.finder.find((component) => isInScope(component, scope));
    return components.flatMap((component) =>
      markedMethodsOf(key, component.host).map((methodName) =>
        discovered(component, methodName, {}),
      ),
    );
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
