import type { TakenResponse } from '../wire';

/** One exchange between a client and an endpoint, once every guard has let it in. */
export interface Exchange {
  /** The framework's request: what guards, pipes and routes see of the caller. */
  readonly request: unknown;
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** What the endpoint answers through where its answer is not plain JSON. */
  readonly response: TakenResponse;
}
