import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { oncePer } from '../../internal';
import { nodeRequest, nodeResponse } from './node-http';

const EVENTS = ['finish', 'close'] as const;

/**
 * Calls back once when an answer is complete or its client has disconnected.
 *
 * @param others a set that contains the callback until it is called
 * @returns a function that stops watching
 */
export function onceGone(
  request: unknown,
  response: unknown,
  callback: () => void,
  others?: Set<() => void>,
): () => void {
  const raw = nodeResponse(response);
  const watching = watchingOf(raw);
  const { socket } = nodeRequest(request);
  // Adapters of serverless functions have a connection without events.
  const closing = socket instanceof EventEmitter ? closingOf(socket) : undefined;
  const stop = () => {
    for (const event of EVENTS) raw.off(event, gone);
    watching.delete(gone);
    closing?.callbacks.delete(gone);
    others?.delete(gone);
  };
  const gone = () => {
    stop();
    callback();
  };
  for (const event of EVENTS) raw.once(event, gone);
  watching.add(gone);
  others?.add(gone);
  // A response queued behind others on its connection is not notified when the connection closes.
  closing?.callbacks.add(gone);
  if (raw.writableFinished || socket.destroyed) gone();
  return stop;
}

/**
 * Destroys a response. While it waits behind others it has no connection, and Node tells no one until the
 * others are over.
 */
export function destroyResponse(response: ServerResponse): void {
  response.destroy();
  if (response.socket === null) for (const gone of [...watchingOf(response)]) gone();
}

/**
 * Whether a request's connection has closed, and those who wait for that were called back: work that ends
 * earlier no longer hears of it.
 */
export function isDisconnected(request: unknown): boolean {
  const { socket } = nodeRequest(request);
  return socket instanceof EventEmitter && closingOf(socket).isClosed;
}

/** Who waits until a response is gone. */
const watchingOf = oncePer((_response: ServerResponse) => new Set<() => void>());

interface Closing {
  readonly callbacks: Set<() => void>;
  isClosed: boolean;
}

/**
 * Who waits until a response's client has caught up. One listener calls them all: what middleware makes of a
 * listener (compression moves it to its own stream) cannot be removed.
 */
export const drainingOf = oncePer((response: ServerResponse): Set<() => void> => {
  const callbacks = new Set<() => void>();
  response.on('drain', () => {
    // A copy: those called may wait again.
    for (const callback of [...callbacks]) callback();
  });
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
    for (const callback of closing.callbacks) callback();
  });
  return closing;
});
