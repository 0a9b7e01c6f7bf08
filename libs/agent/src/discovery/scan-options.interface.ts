import type { Type } from '@nestjs/common';
import type { ToolOptions } from '../tool';

/**
 * Where to look for decorated methods. With neither `modules` nor `classes` everything is looked
 * at; with both, what stands in one of the modules or is one of the classes.
 *
 * @example
 * AgentModule.forRoot({ scan: { modules: [OrdersModule], exclude: [LegacyOrdersController] } });
 */
export interface ScanOptions {
  /**
   * Modules whose own providers and controllers are looked at; what they import is not. None by
   * default.
   */
  readonly modules?: readonly Type<unknown>[];
  /** Providers and controllers to look at, wherever they stand; none by default. */
  readonly classes?: readonly Type<unknown>[];
  /** Modules, providers and controllers to leave out; wins over the other two. None by default. */
  readonly exclude?: readonly Type<unknown>[];
}

/** Which routes of a controller become tools: those that read (GET and HEAD), or all. */
export type ExposedRoutes = 'read' | 'all';

/**
 * Routes of a controller that cannot or will not be decorated, as tools. Independent of `scan`.
 * Where a method has `@Tool` too, these options win one by one.
 *
 * With `routes`, a route that has no description of its own (`@ApiOperation`, or one in `tools`) is
 * described by its method and path, and one that cannot be a tool (a stream of events, an upload) is
 * left out with a line in the boot log.
 *
 * @example
 * const orders: ExposedController = {
 *   controller: OrdersController,
 *   routes: 'all',
 *   tools: { cancel: { description: 'Cancel an order that was not shipped yet' } },
 * };
 */
export type ExposedController = {
  /** The controller's class. */
  readonly controller: Type<unknown>;
} & (
  | {
      /** The routes that become tools, besides those in `tools`; none by default. */
      readonly routes: ExposedRoutes;
      /** Options of single tools, by the names of the controller's methods; none by default. */
      readonly tools?: Readonly<Record<string, ToolOptions>>;
    }
  | {
      /** No routes but those in `tools`. */
      readonly routes?: undefined;
      /** The tools' options, by the names of the controller's methods. */
      readonly tools: Readonly<Record<string, ToolOptions>>;
    }
);

/** An entry of `exposeControllers`: a class alone stands for all its routes that read. */
export type ControllerExposure = Type<unknown> | ExposedController;
