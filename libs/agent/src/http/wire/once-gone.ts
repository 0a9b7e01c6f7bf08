import { nodeRequest, nodeResponse } from './node-http';

/**
 * Calls back once when an answer is complete or its client has disconnected.
 *
 * @returns a function that stops watching
 */
export function onceGone(request: unknown, response: unknown, callback: () => void): () => void {
  const raw = nodeResponse(response);
  const { socket } = nodeRequest(request);
  const stop = () => {
    raw.off('finish', gone).off('close', gone);
    socket.off('close', gone);
  };
  const gone = () => {
    stop();
    callback();
  };
  raw.once('finish', gone).once('close', gone);
  // A response queued behind others on its connection is not notified when the connection closes.
  socket.once('close', gone);
  if (raw.writableFinished || socket.destroyed) gone();
  return stop;
}
