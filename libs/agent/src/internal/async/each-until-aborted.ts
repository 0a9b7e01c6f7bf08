import { abortError } from './abort';

/**
 * Yields the source's items until the signal aborts, then throws an `AbortError` at once, even if the
 * source ignores the signal.
 */
export function eachUntilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncIterableIterator<T, void, undefined> {
  return new AbortableItems(source[Symbol.asyncIterator](), signal);
}

/** Not a generator: one generator around another doubles the cost of every item. */
class AbortableItems<T> implements AsyncIterableIterator<T, void, undefined> {
  /** Rejects the pending step. */
  private interrupt: (error: Error) => void = ignore;
  private isStarted = false;
  private isOver = false;

  constructor(
    private readonly source: AsyncIterator<T, unknown>,
    private readonly signal: AbortSignal,
  ) {}

  next(): Promise<IteratorResult<T, void>> {
    if (this.isOver) return Promise.resolve({ done: true, value: undefined });
    this.start();
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.leave();
        reject(error);
      };
      if (this.signal.aborted) {
        fail(abortError(this.signal));
        return;
      }
      this.interrupt = fail;
      this.source.next().then((step) => {
        this.interrupt = ignore;
        if (step.done !== true) {
          resolve(step);
          return;
        }
        this.isOver = true;
        this.stop();
        resolve({ done: true, value: undefined });
      }, fail);
    });
  }

  return(): Promise<IteratorResult<T, void>> {
    this.leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** One listener for all items: a stream has thousands of them. */
  private start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  private leave(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stop();
    // Not awaited: a source that ignores the signal would block its reader.
    void Promise.resolve(this.source.return?.()).catch(() => undefined);
  }

  private stop(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = (): void => this.interrupt(abortError(this.signal));
}

function ignore(): void {}
