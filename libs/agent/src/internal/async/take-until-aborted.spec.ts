/**
 * Not in the shared scope, where fake timers replace those of `node:timers` too.
 *
 * @jest-environment node
 */
import { takeUntilAborted } from './take-until-aborted';

async function* counted(last: number): AsyncGenerator<number, void, undefined> {
  for (let item = 1; item <= last; item += 1) yield await Promise.resolve(item);
}

/** A source that never answers, and ignores every signal. */
function silent(): AsyncIterable<number> & { hasEnded: boolean } {
  return {
    hasEnded: false,
    [Symbol.asyncIterator]() {
      return {
        next: () => new Promise(() => undefined),
        return: () => {
          this.hasEnded = true;
          return new Promise(() => undefined);
        },
      };
    },
  };
}

describe('takeUntilAborted', () => {
  it('hands every item on and leaves no listener behind', async () => {
    const { signal } = new AbortController();
    const removed = jest.spyOn(signal, 'removeEventListener');
    const taken: number[] = [];

    await takeUntilAborted(counted(3), signal, (item) => taken.push(item));

    expect(taken).toEqual([1, 2, 3]);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('rejects where fake timers stand still', async () => {
    jest.useFakeTimers();
    try {
      const abort = new AbortController();
      const over = takeUntilAborted(silent(), abort.signal, () => undefined);
      abort.abort();
      await expect(over).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects at once and ends the source, even one that ignores the signal', async () => {
    const abort = new AbortController();
    const source = silent();
    const over = takeUntilAborted(source, abort.signal, () => undefined);
    abort.abort();

    await expect(over).rejects.toMatchObject({ name: 'AbortError' });
    expect(source.hasEnded).toBe(true);
  });

  it('takes nothing once the signal has aborted', async () => {
    const abort = new AbortController();
    const taken: number[] = [];
    const over = takeUntilAborted(counted(3), abort.signal, (item) => {
      taken.push(item);
      if (item === 2) abort.abort();
    });

    await expect(over).rejects.toMatchObject({ name: 'AbortError' });
    expect(taken).toEqual([1, 2]);
  });

  it('takes the last items of a source that ends on abort, and only some of one that does not', async () => {
    const abort = new AbortController();
    const last: number[] = [];
    const source = async function* () {
      await new Promise((resolve) => abort.signal.addEventListener('abort', resolve));
      yield* counted(Infinity);
    };
    const fail = () => {
      throw new Error('It is not an item from before.');
    };
    const over = takeUntilAborted(source(), abort.signal, fail, (item) => last.push(item));
    abort.abort();

    await expect(over).rejects.toMatchObject({ name: 'AbortError' });
    expect(last.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('passes on what the source or the taker throws', async () => {
    const { signal } = new AbortController();
    const broken = new Error('broken');
    const source = async function* () {
      yield* counted(1);
      throw broken;
    };
    const fail = () => {
      throw broken;
    };

    await expect(takeUntilAborted(source(), signal, () => undefined)).rejects.toBe(broken);
    await expect(takeUntilAborted(counted(3), signal, fail)).rejects.toBe(broken);
  });
});
