// Imported, so that fake timers do not stop it.
import { setImmediate } from 'node:timers';
import { abortError } from './abort';

/** Maximum number of last items: a source that ignores the signal may have no end. */
const MAX_LAST_ITEMS = 1_000;

/**
 * Hands items on as they come, until there are no more. Rejects with an `AbortError` as soon as the
 * signal aborts, even where the source ignores the signal. Items that the source still gives in the
 * same turn of the event loop are its last ones.
 *
 * By hand, since an iterator around another one costs two promises more for every item.
 *
 * @param takeLast takes the last items
 */
export function takeUntilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  take: (item: T) => void,
  takeLast: (item: T) => void = () => undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const items = source[Symbol.asyncIterator]();
    let isOver = false;
    let lastItems = 0;
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
      // Not awaited: a source that ignores the signal would block its reader.
      void Promise.resolve(items.return?.()).catch(() => undefined);
    };
    const abort = (): void => {
      setImmediate(() => {
        if (!isOver) leave(abortError(signal));
      });
    };
    const next = (): void => {
      items.next().then(taken, failed);
    };
    const taken = (step: IteratorResult<T, unknown>): void => {
      if (isOver) return;
      if (step.done === true) {
        if (signal.aborted) {
          fail(abortError(signal));
          return;
        }
        end();
        resolve();
        return;
      }
      try {
        if (signal.aborted) takeLast(step.value);
        else take(step.value);
        if (!signal.aborted || (lastItems += 1) <= MAX_LAST_ITEMS) next();
      } catch (error) {
        leave(error as Error);
      }
    };
    const failed = (error: Error): void => {
      if (!isOver) fail(signal.aborted ? abortError(signal) : error);
    };
    if (signal.aborted) {
      leave(abortError(signal));
      return;
    }
    signal.addEventListener('abort', abort);
    next();
  });
}
