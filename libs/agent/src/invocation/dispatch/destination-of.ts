import type { Destination } from './dispatcher';
import { InProcessConnection } from './in-process-connection';

/**
 * The required handler of an in-process request; `undefined` for a request from outside. A client
 * cannot fake it: the connection must be an instance of the library's own class.
 */
export function destinationOf(request: unknown): Destination | undefined {
  const { socket } = (request ?? {}) as { readonly socket?: unknown };
  return socket instanceof InProcessConnection ? socket.destination : undefined;
}
