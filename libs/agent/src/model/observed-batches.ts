import { AsyncLocalStorage } from 'node:async_hooks';
import type { ModelEvent } from './chat-model';
import type { ObservedAnswer } from './observed-answer';

/**
 * A call's events for a model that asks another one and yields its events: each is read within the
 * call's hook, since a generator runs in its reader's async context.
 */
export class ObservedBatches implements AsyncIterableIterator<readonly ModelEvent[]> {
  private source: AsyncIterator<readonly ModelEvent[]> | undefined;
  private within: <T>(read: () => T) => T = (read) => read();
  private settle!: { readonly end: () => void; readonly fail: (error: unknown) => void };
  private hasBegun = false;

  constructor(
    private readonly open: () => AsyncIterable<readonly ModelEvent[]>,
    private readonly answer: ObservedAnswer,
  ) {}

  next(): Promise<IteratorResult<readonly ModelEvent[]>> {
    this.begin();
    return this.within(this.reading);
  }

  return(): Promise<IteratorResult<readonly ModelEvent[]>> {
    if (this.hasBegun) this.settle.end();
    // Not waited for here: a source may ignore that its reader has left.
    const left = this.within(() => this.source?.return?.());
    return Promise.resolve(left).then(() => ({ done: true, value: undefined }));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const over = new Promise<void>((resolve, reject) => {
      this.settle = { end: resolve, fail: reject };
    });
    this.answer
      .around(() => {
        this.within = AsyncLocalStorage.snapshot();
        return over;
      })
      // The reader gets the error from `next`.
      .catch(() => undefined);
  }

  private readonly reading = () => this.read();

  private read(): Promise<IteratorResult<readonly ModelEvent[]>> {
    try {
      this.source ??= this.open()[Symbol.asyncIterator]();
      return this.source.next().then(this.taken, this.broken);
    } catch (error) {
      return Promise.resolve().then(() => this.broken(error));
    }
  }

  // Fields instead of closures, since every piece of an answer passes here.
  private readonly taken = (step: IteratorResult<readonly ModelEvent[]>): typeof step => {
    if (step.done === true) this.settle.end();
    else this.answer.hear(step.value);
    return step;
  };

  private readonly broken = (error: unknown): never => {
    this.settle.fail(error);
    throw error;
  };
}
