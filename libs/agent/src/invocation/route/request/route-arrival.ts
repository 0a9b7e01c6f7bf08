import { pointer } from '../../../schema';
import { InvalidArgumentsError, RouteResponseError } from '../../../tool';
import type { Arrival, Destination } from '../../dispatch';
import { MISDIRECTED, type RouteHandler } from './route-handler';
import type { PathValue } from './route-url';

/** One call's way to its handler. */
export class RouteArrival implements Destination {
  private isReached = false;

  /** @param values those of the path that share a segment with something, by the route's names */
  constructor(
    private readonly handler: RouteHandler,
    private readonly values: ReadonlyMap<string, PathValue>,
  ) {}

  /**
   * @throws RouteResponseError where the handler is not the call's own
   * @throws InvalidArgumentsError where the router read values of the path otherwise than they were
   *   given: Fastify's takes `a-b` and `c` in `/:from-:to` for `a` and `b-c`
   */
  assertReached(arrival: Arrival): void {
    // What its own handler passes the request on to is that handler's doing.
    if (this.isReached) return;
    this.handler.assertIs(arrival);
    const misread = [...this.values].filter(([key, { value }]) => arrival.params[key] !== value);
    if (misread.length > 0) {
      const message = 'is read together with what stands beside it in the path';
      throw new InvalidArgumentsError(
        misread.map(([, { name }]) => ({ path: pointer('', name), message })),
      );
    }
    this.isReached = true;
  }

  /** Whether it was its own handler that was reached. */
  get hasArrived(): boolean {
    return this.isReached;
  }

  /** @throws RouteResponseError where a success came from elsewhere */
  assertArrived(): void {
    if (this.hasArrived) return;
    throw new RouteResponseError(
      MISDIRECTED,
      'The call did not reach its handler: something that stands before it answered, so what the answer means is unknown.',
    );
  }
}
