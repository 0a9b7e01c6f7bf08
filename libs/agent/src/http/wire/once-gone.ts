import { EventEmitter } from 'node:events';
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
  const connection = socket instanceof EventEmitter ? socket : undefined;
  const events = ['finish', 'close', ...others];
  const stop = () => {
    for (const event of events) raw.off(event, gone);
    connection?.off('close', gone);
  };
  const gone = () => {
    stop();
    callback();
  };
  for (const event of events) raw.once(event, gone);
  // A response queued behind others on its connection is not notified when the connection closes.
  connection?.once('close', gone);
  if (raw.writableFinished || socket.destroyed) gone();
  return stop;
}
