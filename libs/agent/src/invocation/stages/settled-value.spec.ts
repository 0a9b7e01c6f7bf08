import { EMPTY, from, NEVER, of, Subject, throwError } from 'rxjs';
import { settledValue } from './settled-value';

const open = new AbortController().signal;

describe('settledValue', () => {
  it.each<[string, unknown, unknown, unknown[]]>([
    ['a value', 1, 1, []],
    ['nothing', undefined, undefined, []],
    ['a Promise', Promise.resolve(2), 2, []],
    ['an Observable', of(1, 2, 3), 3, [1, 2]],
    ['an empty Observable', EMPTY, undefined, []],
    ['a Promise of an Observable', Promise.resolve(from(['a', 'b'])), 'b', ['a']],
    ['a list, which is one value', [1, 2], [1, 2], []],
  ])('takes %s', async (_, answer, result, progress) => {
    const seen: unknown[] = [];
    await expect(settledValue(answer, (value) => seen.push(value), open)).resolves.toEqual(result);
    expect(seen).toEqual(progress);
  });

  it('takes an async iterable: the last value, or what a generator returns', async () => {
    const seen: unknown[] = [];
    const note = (value: unknown) => seen.push(value);
    async function* yields() {
      yield 1;
      yield 2;
    }
    async function* returns() {
      yield 'half';
      return 'whole';
    }
    await expect(settledValue(yields(), note, open)).resolves.toBe(2);
    await expect(settledValue(returns(), note, open)).resolves.toBe('whole');
    expect(seen).toEqual([1]);
  });

  it('rejects with what the source fails with', async () => {
    const failure = new Error('broken');
    await expect(
      settledValue(
        throwError(() => failure),
        jest.fn(),
        open,
      ),
    ).rejects.toBe(failure);
    async function* fails() {
      yield 1;
      throw failure;
    }
    await expect(settledValue(fails(), jest.fn(), open)).rejects.toBe(failure);
  });

  it('lets go of an Observable when aborted, and of the signal when done', async () => {
    const controller = new AbortController();
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    const subject = new Subject();
    const done = settledValue(subject, jest.fn(), controller.signal);
    await Promise.resolve();
    subject.next(1);
    subject.complete();
    await expect(done).resolves.toBe(1);
    expect(removed).toHaveBeenCalledTimes(1);
    void settledValue(NEVER, jest.fn(), controller.signal);
    const hanging = new Subject();
    void settledValue(hanging, jest.fn(), controller.signal);
    await Promise.resolve();
    expect(hanging.observed).toBe(true);
    controller.abort();
    expect(hanging.observed).toBe(false);
  });

  it('ends an async iterable when aborted', async () => {
    const controller = new AbortController();
    let isEnded = false;
    async function* endless() {
      try {
        for (let count = 0; ; count += 1) {
          if (count === 2) controller.abort();
          yield count;
        }
      } finally {
        isEnded = true;
      }
    }
    await settledValue(endless(), jest.fn(), controller.signal);
    await Promise.resolve();
    expect(isEnded).toBe(true);
  });

  it('lets go of an async iterable that is stuck when aborted', async () => {
    const next = () => new Promise<never>(() => undefined);
    for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('no')), explode]) {
      const controller = new AbortController();
      const ended = jest.fn(end);
      const stuck = { [Symbol.asyncIterator]: () => ({ next, return: ended }) };
      void settledValue(stuck, jest.fn(), controller.signal);
      await Promise.resolve();
      controller.abort();
      expect(ended).toHaveBeenCalledTimes(1);
    }
  });
});

function explode(): never {
  throw new Error('no');
}
