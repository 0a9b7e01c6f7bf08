import { pointer } from '../../../schema';
import { InvalidArgumentsError, RouteResponseError } from '../../../tool';
import type { Arrival, Destination } from '../../dispatch';
import type { WatchedCall } from '../../call';
import { MISDIRECTED, type RouteHandler } from './route-handler';
import type { PathValue } from './route-url';

/** Checks that one call reaches its handler. */
export class RouteArrival implements Destination {
  /** Whether its own handler was reached. */
  hasArrived = false;

  /**
   * @param values the path parameters that a router may read otherwise, by the route's names
   * @param watched the call's stages, if they are watched
   */
  constructor(
    private readonly handler: RouteHandler,
    private readonly values: ReadonlyMap<string, PathValue>,
    readonly watched?: WatchedCall,
  ) {}

  /**
   * @throws RouteResponseError for a wrong handler
   * @throws InvalidArgumentsError if the router parsed other path values than given: Fastify's
   * parses `a-b` and `c` in `/:from-:to` as `a` and `b-c`, and Express's a lone size in
   * `{/:page}{/:size}` as the page
   */
  assertReached(arrival: Arrival): void {
    // Its own handler may pass the request on.
    if (this.hasArrived) return;
    this.handler.assertIs(arrival);
    const misread = [...this.values].filter(
      ([key, { value }]) => textOf(arrival.params[key]) !== value,
    );
    if (misread.length > 0) {
      throw new InvalidArgumentsError(
        misread.map(([key, { name }]) => ({
          path: pointer('', name),
          message:
            arrival.params[key] === undefined
              ? 'is read as another part of the path: give those before it, too'
              : 'is read together with the text beside it in the path',
        })),
      );
    }
    this.hasArrived = true;
  }

  /** @throws RouteResponseError if a success came from another place */
  assertArrived(): void {
    if (this.hasArrived) return;
    throw new RouteResponseError(
      MISDIRECTED,
      'The call did not reach its handler: middleware answered before it, so the meaning of the answer is unknown.',
    );
  }
}

/** A path parameter as one text: Express's router parses a wildcard as a list. */
function textOf(parameter: unknown): unknown {
  return Array.isArray(parameter) ? parameter.join('/') : parameter;
}
