import type { TakenResponse } from './taken-response';

/** Does work with a signal that aborts if the client disconnects before its answer is complete. */
export async function whileConnected<T>(
  response: TakenResponse,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const stop = response.onDisconnect(() => gone.abort());
  try {
    return await work(gone.signal);
  } finally {
    stop();
  }
}
