import type { Type } from '@nestjs/common';
import type { ToolOptions } from '../tool';

/**
 * Where to look for decorated methods. With neither `modules` nor `classes` everything is scanned;
 * with both, a class is scanned if it is in one of the modules or is listed.
 *
 * @example
 * AgentModule.forRoot({ scan: { modules: [OrdersModule], exclude: [LegacyOrdersController] } });
 */
export interface ScanOptions {
  /**
   * Modules whose own providers and controllers are scanned; their imports are not. None by
   * default.
   */
  readonly modules?: readonly Type<unknown>[];
  /** Providers and controllers to scan, in any module; none by default. */
  readonly classes?: readonly Type<unknown>[];
  /** Modules, providers and controllers to skip; overrides the other two. None by default. */
  readonly exclude?: readonly Type<unknown>[];
}

/** Which routes of a controller become tools: read routes only (GET and HEAD), or all. */
export type ExposedRoutes = 'read' | 'all';

/**
 * Routes of a controller that cannot or will not be decorated, as tools. Independent of `scan`.
 * Where a method has `@Tool` too, these options win one by one.
 *
 * With `routes`, a route that has no description of its own (`@ApiOperation`, or one in `tools`) is
 * described by its method and path. A route that cannot be a tool (an event stream, an upload) is
 * skipped with a line in the boot log.
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
      /** The routes that become tools, in addition to `tools`; none by default. */
      readonly routes: ExposedRoutes;
      /** Options per tool, by method name of the controller; none by default. */
      readonly tools?: Readonly<Record<string, ToolOptions>>;
    }
  | {
      /** Only the routes in `tools`. */
      readonly routes?: undefined;
      /** The tools' options, by method name of the controller. */
      readonly tools: Readonly<Record<string, ToolOptions>>;
    }
);

/** An entry of `exposeControllers`: a class alone exposes all its read routes. */
export type ControllerExposure = Type<unknown> | ExposedController;
