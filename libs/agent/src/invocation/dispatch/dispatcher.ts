import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Type } from '@nestjs/common';

/** Who a route tool acts for, as far as a connection shows it. */
export interface CallerConnection {
  /** The address the application sees; `undefined` where there is no chat request. */
  readonly remoteAddress?: string;
  /** Whether the chat request came over TLS. */
  readonly isEncrypted: boolean;
  /** The chat request's own connection, for client certificates. */
  readonly connection?: object;
}

/** The handler that a request came to, and what the router read from its path. */
export interface Arrival {
  readonly host: Type<unknown>;
  readonly handler: object & { readonly name: string };
  readonly params: Readonly<Record<string, unknown>>;
}

/** Where a request has to arrive. */
export interface Destination {
  /** Called before anything of a handler runs; what it throws ends the request there. */
  assertReached(arrival: Arrival): void;
}

/** One request to a route; the way adds what its connection wants, and a host where none is named. */
export interface RouteRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Only asked in this process: how a request is routed elsewhere cannot be seen. */
  readonly destination?: Destination;
}

export interface RouteResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Destroying it closes the connection. */
  readonly body: Readable;
}

/** The way from a request to its response. */
export interface Dispatcher {
  /**
   * Resolves with the head of the response; rejects where none came. Aborting closes the
   * connection, before and after.
   */
  dispatch(
    request: RouteRequest,
    caller: CallerConnection,
    signal: AbortSignal,
  ): Promise<RouteResponse>;
  /** Ends what is still open. */
  close(): Promise<void>;
}
