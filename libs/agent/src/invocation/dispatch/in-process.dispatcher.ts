import { AsyncResource } from 'node:async_hooks';
import {
  createServer,
  request as createRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { connectionPair } from './connection-pair';
import type { Caller, Dispatcher, RouteRequest, RouteResponse } from './dispatcher';

/** The application's own server, which need not listen: it only passes requests on. */
export interface RequestTarget {
  emit(event: 'request', request: unknown, response: unknown): boolean;
}

/**
 * Sends requests through the application's own request handler without a port: each call has a
 * connection of its own inside the process, with Node's HTTP parser at both ends.
 */
export class InProcessDispatcher implements Dispatcher {
  private readonly server: Server;
  private readonly open = new Set<Duplex>();
  // A real request starts in no one's async context; neither may one that an agent sends.
  private readonly root = new AsyncResource('NestjsAgentDispatch');

  constructor(target: () => RequestTarget) {
    this.server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
      target().emit('request', request, response);
    });
  }

  async dispatch(
    { method, path, headers, body }: RouteRequest,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<RouteResponse> {
    signal.throwIfAborted();
    const [client, server] = connectionPair(caller);
    this.open.add(client);
    const abort = () => client.destroy();
    signal.addEventListener('abort', abort, { once: true });
    client.once('close', () => {
      this.open.delete(client);
      signal.removeEventListener('abort', abort);
    });
    this.root.runInAsyncScope(() => this.server.emit('connection', server));

    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = createRequest(
          {
            method,
            path,
            headers: mutable(headers, body),
            setHost: false,
            createConnection: () => client,
          },
          resolve,
        );
        outgoing.once('error', reject);
        outgoing.end(body);
      });
      return { status: response.statusCode ?? 0, headers: response.headers, body: response };
    } catch (error) {
      client.destroy();
      signal.throwIfAborted();
      throw error;
    }
  }

  close(): Promise<void> {
    for (const connection of this.open) connection.destroy();
    return Promise.resolve();
  }
}

function mutable(headers: RouteRequest['headers'], body: string | undefined): OutgoingHttpHeaders {
  const copy: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    copy[name] = typeof value === 'string' ? value : [...value];
  }
  // Without a length the request would be chunked, which a real client does not do for JSON.
  if (body !== undefined) copy['content-length'] = Buffer.byteLength(body);
  return copy;
}
