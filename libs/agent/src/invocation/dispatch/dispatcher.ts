import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Type } from '@nestjs/common';
import type { WatchedCall } from '../call';

/** The server's end of a connection. */
export interface LocalAddress {
  readonly localAddress?: string;
  readonly localPort?: number;
  readonly localFamily?: string;
}

/** The caller of a route tool, as a connection shows it. */
export interface CallerConnection {
  /** The caller's address; `undefined` without a chat request. */
  readonly remoteAddress?: string;
  /** Where the caller has connected to: a guard may serve an internal port otherwise. */
  readonly local?: LocalAddress;
  /** Whether the chat request used TLS. */
  readonly isEncrypted: boolean;
  /** The chat request's own connection, for client certificates. */
  readonly connection?: object;
}

/** The handler that a request reached, and its path parameters. */
export interface Arrival {
  readonly host: Type<unknown>;
  readonly handler: object & { readonly name: string };
  readonly params: Readonly<Record<string, unknown>>;
}

/** The required handler of a request. */
export interface Destination {
  /** The call's stages, if they are watched. */
  readonly watched?: WatchedCall;
  /** Called before the handler; an error ends the request. */
  assertReached(arrival: Arrival): void;
}

/** One request to a route. The dispatcher adds connection headers and a default host. */
export interface RouteRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Only checked in this process: remote routing is unknown. */
  readonly destination?: Destination;
}

export interface RouteResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Destroying it closes the connection. */
  readonly body: Readable;
}

/** Sends requests and returns responses. */
export interface Dispatcher {
  /** The application serves requests from now on. */
  start?(): void;
  /**
   * Resolves with the head of the response; rejects without one. Aborting closes the connection,
   * before and after.
   */
  dispatch(
    request: RouteRequest,
    caller: CallerConnection,
    signal: AbortSignal,
  ): Promise<RouteResponse>;
  /** Closes open connections. */
  close(): Promise<void>;
}
