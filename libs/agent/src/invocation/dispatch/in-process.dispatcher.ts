import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { AgentError } from '../../tool';
import type { CallerConnection, Dispatcher, RouteRequest, RouteResponse } from './dispatcher';
import { InProcessConnection } from './in-process-connection';
import { TurnQueue } from './turn-queue';

/** The application's own server, which need not listen: it only passes requests on. */
export interface RequestTarget {
  /** Bytes of headers that it takes; Node's default where it does not say. */
  readonly maxHeaderSize?: number;
  emit(event: 'request', request: unknown, response: unknown): boolean;
}

/** Runs what handles a request, in an async context of its choice. */
export type HandlerScope = (request: RouteRequest, handle: () => void) => void;

/**
 * Sends requests through the application's own request handler without a port. Node's own server
 * code reads the request and writes the response, so that the handler cannot tell the difference;
 * only the client's side is ours.
 */
export class InProcessDispatcher implements Dispatcher {
  // Never listens, so it has neither a handle nor a timer that could keep the process alive.
  private readonly server: Server;
  private readonly open = new Set<InProcessConnection>();
  // A real request starts in no one's async context; neither may one that an agent sends.
  private readonly root = new AsyncResource('NestjsAgentDispatch');
  private readonly turns = new TurnQueue();
  private isClosed = false;

  /**
   * @param target the application's server
   * @param scope put around every request's handling
   */
  constructor(
    target: RequestTarget,
    private readonly scope: HandlerScope = (_request, handle) => handle(),
  ) {
    const { maxHeaderSize } = target;
    this.server = createServer(
      // What reached the chat endpoint must reach a route as well.
      { requestTimeout: 0, headersTimeout: 0, ...(maxHeaderSize && { maxHeaderSize }) },
      (request, response) => target.emit('request', request, response),
    );
    // Tracing patches the prototype's. The application's server is emitted to as well, so each request
    // would be two.
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
    this.root.runInAsyncScope(this.scope, undefined, request, () => {
      this.server.emit('connection', connection);
    });
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
