import { abortError } from './abort';

/**
 * Hands items on as they come, until there are no more. Rejects with an `AbortError` as soon as the
 * signal aborts, even where the source ignores the signal.
 *
 * By hand, since an iterator around another one costs two promises more for every item.
 */
export function takeUntilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  take: (item: T) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const items = source[Symbol.asyncIterator]();
    let isOver = false;
    const end = (): void => {
      isOver = true;
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const leave = (error: Error): void => {
      fail(error);
      // Not awaited: a source that ignores the signal would hold its reader up.
      void Promise.resolve(items.return?.()).catch(() => undefined);
    };
    const abort = (): void => leave(abortError(signal));
    const next = (): void => {
      items.next().then(taken, failed);
    };
    const taken = (step: IteratorResult<T, unknown>): void => {
      if (isOver) return;
      if (step.done === true) {
        end();
        resolve();
        return;
      }
      try {
        take(step.value);
        if (!isOver) next();
      } catch (error) {
        leave(error as Error);
      }
    };
    const failed = (error: Error): void => {
      if (!isOver) fail(error);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort);
    next();
  });
}
