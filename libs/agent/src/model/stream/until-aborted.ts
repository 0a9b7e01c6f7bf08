import { abortError, throwIfAborted } from './abort';

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
  // One listener for all items: a stream has thousands of them.
  let interrupt: (error: Error) => void = () => undefined;
  const onAbort = (): void => interrupt(abortError(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      throwIfAborted(signal);
      const next = await new Promise<IteratorResult<T, unknown>>((resolve, reject) => {
        interrupt = reject;
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that ignores the signal would hold its reader up.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
