import type { Failure } from '../errors';
import type { Exchange } from './exchange';

/**
 * What sets an endpoint apart.
 *
 * @example
 * import { type EndpointOptions } from 'nestjs-agent/endpoints';
 *
 * const options: EndpointOptions = {
 *   failureOf: () => ({ status: 500, headers: {}, body: { error: { code: -32_603 } } }),
 * };
 */
export interface EndpointOptions {
  /** Whether it answers everybody the same, so that caches may keep it; `false` by default. */
  readonly isPublic?: boolean;
  /** How it tells what went wrong; in Nest's envelope by default. */
  readonly failureOf?: (error: unknown) => Failure;
}

/** What stands behind a route of the agent. */
export interface Served extends Required<EndpointOptions> {
  /** The controller's method. */
  readonly serve: (this: object, exchange: Exchange) => unknown;
}

const SERVED = Symbol('nestjs-agent:served');

/** Has a handler that Nest knows stand for an endpoint. */
export function markServed(handler: object, served: Served): void {
  Reflect.defineMetadata(SERVED, served, handler);
}

/** What stands behind a handler; `undefined` of one that is not the agent's. */
export function servedBy(handler: object): Served | undefined {
  return Reflect.getMetadata(SERVED, handler) as Served | undefined;
}
