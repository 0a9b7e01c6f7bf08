import { AsyncLocalStorage } from 'node:async_hooks';
import { RouteResponseError } from '../../../tool';
import type { RouteRequest } from '../../dispatch';
import { chatRequestOf } from './chat-request';

/** How often an agent may reach itself through routes before it is stopped. */
const MAX_DEPTH = 3;
export const DEPTH_HEADER = 'x-agent-depth';

/**
 * Counts how many route calls of agents lead to what runs now. A header carries the count from
 * process to process; within one, the async context does, for handlers that call an agent without
 * handing their request on.
 */
export class AgentDepth {
  private readonly current = new AsyncLocalStorage<number>();

  /**
   * The count of a call made now.
   *
   * @param request the chat request, where there is one
   * @throws RouteResponseError where the agent reached itself too often
   */
  next(request: unknown): number {
    const { headers = {} } = chatRequestOf(request);
    const depth = Math.max(depthIn(headers), this.current.getStore() ?? 0);
    if (depth < MAX_DEPTH) return depth + 1;
    throw new RouteResponseError(
      508,
      `The agent has reached itself through its own routes ${MAX_DEPTH} times; this call was stopped.`,
    );
  }

  /** Handles a route call's request, so that calls made on the way count from it. */
  readonly enter = ({ headers }: Pick<RouteRequest, 'headers'>, handle: () => void): void => {
    this.current.run(depthIn(headers), handle);
  };
}

function depthIn(headers: Readonly<Record<string, unknown>>): number {
  const header = headers[DEPTH_HEADER];
  if (header === undefined) return 0;
  // What is no number cannot have come from here, and must not open the way.
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : MAX_DEPTH;
}
