import type { ServerResponse } from 'node:http';
import { nodeRequest, nodeResponse } from './node-http';

/**
 * Calls back once if the client goes away before its answer is complete.
 *
 * @returns a function that stops watching; call it when the answer no longer depends on the client
 */
export function onDisconnect(
  request: unknown,
  response: unknown,
  callback: () => void,
): () => void {
  const raw = nodeResponse(response);
  const { socket } = nodeRequest(request);
  const stop = () => {
    raw.off('close', closed);
    socket.off('close', closed);
  };
  const closed = () => {
    stop();
    if (!isComplete(raw)) callback();
  };
  // A response that waits behind others on its connection learns nothing when that goes away.
  raw.once('close', closed);
  socket.once('close', closed);
  if (socket.destroyed) closed();
  return stop;
}

function isComplete(response: ServerResponse): boolean {
  return response.writableFinished;
}
