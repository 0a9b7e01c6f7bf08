import type { Failure } from '../errors';
import type { TakenResponse } from '../wire';

/**
 * Options of an endpoint.
 *
 * @example
 * import { type EndpointOptions } from 'nestjs-agent/endpoints';
 *
 * const options: EndpointOptions = {
 *   failureOf: () => ({ status: 500, headers: {}, body: { error: { code: -32_603 } } }),
 * };
 */
export interface EndpointOptions {
  /**
   * Whether the answer is the same for every caller, so that caches may store it; `false` by
   * default.
   */
  readonly isPublic?: boolean;
  /** The formatter of errors; Nest's envelope by default. */
  readonly failureOf?: (error: unknown) => Failure;
}

/** The implementation behind a route of the agent. */
export interface Served extends Required<EndpointOptions> {
  /** The controller's method. */
  readonly serve: (this: object, exchange: Exchange) => unknown;
}

const SERVED = Symbol('nestjs-agent:served');

/** Links a Nest handler to an endpoint. */
export function markServed(handler: object, served: Served): void {
  Reflect.defineMetadata(SERVED, served, handler);
}

/** The endpoint behind a handler; `undefined` if the handler is not the agent's. */
export function servedBy(handler: object): Served | undefined {
  return Reflect.getMetadata(SERVED, handler) as Served | undefined;
}

/** One exchange between a client and an endpoint, after all guards. */
export interface Exchange {
  /** The framework's request, as guards, pipes and routes see it. */
  readonly request: unknown;
  /** The values of the path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The response, for answers other than plain JSON. */
  readonly response: TakenResponse;
}
