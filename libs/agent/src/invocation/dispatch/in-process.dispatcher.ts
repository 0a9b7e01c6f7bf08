import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { outsideRequests } from '../../internal';
import { AgentError } from '../../tool';
import type { CallerConnection, Dispatcher, RouteRequest, RouteResponse } from './dispatcher';
import { InProcessConnection } from './in-process-connection';
import { TurnQueue } from './turn-queue';

/** The application's own server; it need not listen. */
export interface RequestTarget {
  /** Maximum bytes of headers; Node's default if unset. */
  readonly maxHeaderSize?: number;
  emit(event: 'request', request: unknown, response: unknown): boolean;
}

/** Runs a request's handler in an async context. */
export type HandlerScope = (request: RouteRequest, handle: () => void) => void;

/**
 * Sends requests through the application's own request handler without a port. Node's own server
 * code parses the request and writes the response, so the handler sees a real request.
 */
export class InProcessDispatcher implements Dispatcher {
  // Never listens, so it does not keep the process alive.
  private readonly server: Server;
  private readonly open = new Set<InProcessConnection>();
  private readonly turns = new TurnQueue();
  private isClosed = false;

  /**
   * @param target the application's server
   * @param scope wraps every request's handling
   */
  constructor(
    target: RequestTarget,
    private readonly scope: HandlerScope = (_request, handle) => handle(),
  ) {
    const { maxHeaderSize } = target;
    this.server = createServer(
      // Headers that the chat endpoint accepted must be accepted for a route too.
      { requestTimeout: 0, headersTimeout: 0, ...(maxHeaderSize && { maxHeaderSize }) },
      (request, response) => target.emit('request', request, response),
    );
    // Bypasses the prototype's patched `emit`: with tracing, each request would be counted twice.
    this.server.emit = (event: string | symbol, ...values: unknown[]) =>
      EventEmitter.prototype.emit.call(this.server, event, ...values);
  }

  async dispatch(
    request: RouteRequest,
    caller: CallerConnection,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    await this.turns.next();
    signal.throwIfAborted();
    if (this.isClosed) throw new AgentError('not_ready', 'The application is shutting down.');
    const connection = new InProcessConnection(request, caller);
    const abort = () => connection.abort();
    this.open.add(connection);
    signal.addEventListener('abort', abort, { once: true });
    connection.once('close', () => {
      this.open.delete(connection);
      signal.removeEventListener('abort', abort);
    });
    // Like a real request, an agent's request starts in an empty async context.
    outsideRequests(() =>
      this.scope(request, () => void this.server.emit('connection', connection)),
    );
    try {
      return await connection.routeResponse;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    for (const connection of this.open) connection.abort();
    return Promise.resolve();
  }
}
