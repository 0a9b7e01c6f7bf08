import type { Destination } from './dispatcher';
import { InProcessConnection } from './in-process-connection';

/**
 * Where a request of this process must arrive; `undefined` for a request from outside, which nothing
 * in it can disguise: the connection is of a class of the library.
 */
export function destinationOf(request: unknown): Destination | undefined {
  const { socket } = (request ?? {}) as { readonly socket?: unknown };
  return socket instanceof InProcessConnection ? socket.destination : undefined;
}
