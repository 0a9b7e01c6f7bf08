import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { oncePer } from '../../internal';
import { nodeRequest, nodeResponse } from './node-http';

const EVENTS = ['finish', 'close'] as const;

/**
 * Calls back once when an answer is complete or its client has disconnected.
 *
 * @param others a set that contains the callback until it is called
 * @returns a function that stops watching
 */
export function onceDisconnected(
  request: unknown,
  response: unknown,
  callback: () => void,
  others?: Set<() => void>,
): () => void {
  const raw = nodeResponse(response);
  const { socket } = nodeRequest(request);
  // Adapters of serverless functions have a connection without events.
  const closing = socket instanceof EventEmitter ? closingOf(socket) : undefined;
  // A response queued behind others on its connection is not notified when the connection closes.
  const watching = [goneOf(raw), closing?.callbacks, others];
  const stop = () => {
    for (const callbacks of watching) callbacks?.delete(gone);
  };
  const gone = () => {
    stop();
    callback();
  };
  for (const callbacks of watching) callbacks?.add(gone);
  if (raw.writableFinished || socket.destroyed) gone();
  return stop;
}

/**
 * Destroys a response. While it waits behind others it has no connection, and Node emits no event until the
 * others are complete.
 */
export function destroyResponse(response: ServerResponse): void {
  response.destroy();
  if (response.socket !== null) return;
  callAll(goneOf(response));
  // Its client would wait for an answer: since Node 24 the connection stays open.
  response.once('socket', (socket: Socket) => void socket.destroy());
}

/**
 * Whether a response, its stream in HTTP/2 or its connection has closed. Of a response that waits behind
 * others, only the connection shows it, once its callbacks were called: work that ends earlier is not
 * notified.
 */
export function isDisconnected(
  request: unknown,
  { destroyed, stream }: ServerResponse & { readonly stream?: Duplex },
): boolean {
  const { socket } = nodeRequest(request);
  const isClosed = socket instanceof EventEmitter && closingOf(socket).isClosed;
  return isClosed || destroyed || stream?.destroyed === true;
}

/** Calls those that wait now: one of them may wait again, or stop another. */
function callAll(callbacks: ReadonlySet<() => void>): void {
  for (const callback of [...callbacks]) if (callbacks.has(callback)) callback();
}

/** Who waits until a response is complete or closed. */
const goneOf = oncePer((response: ServerResponse): Set<() => void> => {
  const callbacks = new Set<() => void>();
  for (const event of EVENTS) response.once(event, () => callAll(callbacks));
  return callbacks;
});

interface Closing {
  readonly callbacks: Set<() => void>;
  isClosed: boolean;
}

/**
 * Callbacks that wait for a slow client. One listener calls them all: a listener that middleware replaced
 * (compression moves it to its own stream) cannot be removed.
 */
export const drainingOf = oncePer((response: ServerResponse): Set<() => void> => {
  const callbacks = new Set<() => void>();
  response.on('drain', () => callAll(callbacks));
  return callbacks;
});

/**
 * Who waits for the close of a connection. One listener calls them all: with one for each request,
 * Node warns of a leak if a client sends many without waiting for answers.
 */
const closingOf = oncePer((connection: Socket): Closing => {
  const closing: Closing = { callbacks: new Set(), isClosed: connection.closed };
  connection.once('close', () => {
    closing.isClosed = true;
    callAll(closing.callbacks);
  });
  return closing;
});
