import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RouteResponseError } from '../../../tool';
import type { RouteRequest } from '../../dispatch';
import { chatRequestOf } from './chat-request';

/** The maximum number of times that an agent may reach itself through routes. */
const MAX_DEPTH = 3;
export const DEPTH_HEADER = 'x-agent-depth';

// One for the process: from its first use on, Node.js 20 and 22 copy what a storage holds with every
// promise, also of storages whose application is closed.
const current = new AsyncLocalStorage<number>();

/**
 * Counts the nested route calls of agents. A header carries the count. For handlers that call an agent
 * without their request, an async context does, from the first such call of the process on: routes
 * that run by then may add a round.
 */
@Injectable()
export class AgentDepth {
  /** Whether calls came without a client's request, whose header would carry the count. */
  private isFollowed = false;

  /**
   * The count for a new call.
   *
   * @param request the chat request, if any
   * @throws RouteResponseError above the limit
   */
  next(request: unknown): number {
    const depth = this.of(request);
    if (depth < MAX_DEPTH) return depth + 1;
    throw new RouteResponseError(
      508,
      `The agent has reached itself through its own routes ${MAX_DEPTH} times; this call was stopped.`,
    );
  }

  /** The count so far. */
  of(request: unknown): number {
    const { headers = {} } = chatRequestOf(request);
    this.isFollowed ||= !isReceived(request);
    return Math.max(depthIn(headers), current.getStore() ?? 0);
  }

  /** Does something within a count. */
  within<T>(depth: number, work: () => T): T {
    return current.run(depth, work);
  }

  /** Handles a route call's request within its count. */
  readonly enter = ({ headers }: Pick<RouteRequest, 'headers'>, handle: () => void): void => {
    if (this.isFollowed) current.run(depthIn(headers), handle);
    else handle();
  };
}

/** Whether Node.js has received it, and no code has made it up. Fastify wraps its requests. */
function isReceived(request: unknown): boolean {
  if (request instanceof IncomingMessage) return true;
  return typeof request === 'object' && request !== null && 'raw' in request
    ? request.raw instanceof IncomingMessage
    : false;
}

function depthIn(headers: Readonly<Record<string, unknown>>): number {
  const header = headers[DEPTH_HEADER];
  if (header === undefined) return 0;
  // A malformed count counts as the limit.
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : MAX_DEPTH;
}
