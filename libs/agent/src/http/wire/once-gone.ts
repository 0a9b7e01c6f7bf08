import { EventEmitter } from 'node:events';
import { oncePer } from '../../internal';
import { nodeRequest, nodeResponse } from './node-http';

/**
 * Calls back once when an answer is complete or its client has disconnected.
 *
 * @param others further events of the response to call back for
 * @returns a function that stops watching
 */
export function onceGone(
  request: unknown,
  response: unknown,
  callback: () => void,
  ...others: readonly string[]
): () => void {
  const raw = nodeResponse(response);
  const { socket } = nodeRequest(request);
  // Adapters of serverless functions have a connection without events.
  const closing = socket instanceof EventEmitter ? closingOf(socket) : undefined;
  const events = ['finish', 'close', ...others];
  const stop = () => {
    for (const event of events) raw.off(event, gone);
    closing?.delete(gone);
  };
  const gone = () => {
    stop();
    callback();
  };
  for (const event of events) raw.once(event, gone);
  // A response queued behind others on its connection is not notified when the connection closes.
  closing?.add(gone);
  if (raw.writableFinished || socket.destroyed) gone();
  return stop;
}

/**
 * The callbacks for the close of a connection. One listener calls them all: with one for each request,
 * Node warns of a leak if a client sends many without waiting for answers.
 */
const closingOf = oncePer((connection: EventEmitter): Set<() => void> => {
  const callbacks = new Set<() => void>();
  connection.once('close', () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
});
