import type { Type } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import type { ToolkitOptions, ToolOptions } from '../tool';

/** A method that was declared to be a tool, before anything is made of it. */
export interface DiscoveredTool {
  readonly kind: 'provider' | 'route';
  /** The class that was provided; the method may be inherited. */
  readonly host: Type<unknown>;
  /** The one instance; missing where instances are made per call. */
  readonly instance?: object;
  /** Nest's record of the provider or controller. */
  readonly wrapper: InstanceWrapper;
  readonly methodName: string;
  readonly options: ToolOptions;
  readonly toolkit?: ToolkitOptions;
  /** For messages: `OrdersController.find`. */
  readonly source: string;
}
