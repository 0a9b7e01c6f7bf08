import { defined } from '../internal';
import { toolkitMetadataOf } from '../decorators';
import type { ToolkitOptions, ToolOptions } from '../tool';
import type { Component } from './component';

/** A method declared as a tool, before the tool is built. */
export interface DiscoveredTool extends Omit<Component, 'module'> {
  /** Own, or inherited by the component's class. */
  readonly methodName: string;
  readonly options: ToolOptions;
  readonly toolkit?: ToolkitOptions;
  /** Exposed with its whole controller: without another description, its path describes it. */
  readonly isDescribedByPath?: boolean;
  /** It was not named, so it is left out where it cannot be a tool. */
  readonly mayBeLeftOut?: boolean;
  /** For messages: `OrdersController.find`. */
  readonly source: string;
}

/** A component's method as a tool with these options. */
export function discovered(
  { kind, host, instance, wrapper }: Component,
  methodName: string,
  options: ToolOptions,
): DiscoveredTool {
  const toolkit = toolkitMetadataOf(host);
  const source = `${host.name}.${methodName}`;
  return defined({ kind, host, wrapper, methodName, options, source, instance, toolkit });
}
