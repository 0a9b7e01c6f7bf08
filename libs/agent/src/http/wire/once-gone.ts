import { nodeRequest, nodeResponse } from './node-http';

/**
 * Calls back once when an answer is complete or its client is gone.
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
  // A response that waits behind others on its connection learns nothing when that goes away.
  socket.once('close', gone);
  if (raw.writableFinished || socket.destroyed) gone();
  return stop;
}
