import type { Type } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { toolkitMetadataOf } from '../decorators';
import type { ToolkitOptions, ToolOptions } from '../tool';
import type { Component } from './component';

/** A method declared as a tool, before the tool is built. */
export interface DiscoveredTool {
  readonly kind: 'provider' | 'route';
  /** The provided class; the method may be inherited. */
  readonly host: Type<unknown>;
  /** The single instance; missing if instances are created per call. */
  readonly instance?: object;
  /** Nest's record of the provider or controller. */
  readonly wrapper: InstanceWrapper;
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
