import { orAbort } from './abort';

/**
 * Passes items on until the signal aborts, then throws an `AbortError` at once, even where the
 * source ignores the signal.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await orAbort(iterator.next(), signal);
      if (next.done === true) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a source that ignores the signal would hold its reader up.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
