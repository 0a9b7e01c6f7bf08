import type { TakenResponse } from '../wire';

/** One exchange between a client and an endpoint, after all guards. */
export interface Exchange {
  /** The framework's request, as guards, pipes and routes see it. */
  readonly request: unknown;
  /** The values of the path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The response, for answers other than plain JSON. */
  readonly response: TakenResponse;
}
