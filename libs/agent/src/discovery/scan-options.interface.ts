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

/**
 * Routes of a controller that cannot or will not be decorated, as tools. Independent of `scan`.
 * Where a method has `@Tool` too, what stands here wins option by option.
 *
 * @example
 * const orders: ExposedController = {
 *   controller: OrdersController,
 *   tools: { findAll: { description: 'List all orders' } },
 * };
 */
export interface ExposedController {
  /** The controller's class. */
  readonly controller: Type<unknown>;
  /** The tools' options, by the names of the controller's methods. */
  readonly tools: Readonly<Record<string, ToolOptions>>;
}
