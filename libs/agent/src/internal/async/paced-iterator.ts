import { setImmediate as turn } from 'node:timers/promises';

const VALUES_PER_TURN = 100;

/**
 * The same values, with a turn of the event loop in between from time to time. A source that always has
 * a next value would otherwise block all timers, including its own timeout, and all other requests.
 */
export function paced<T>(source: AsyncIterable<T>): AsyncIterableIterator<T, unknown> {
  const iterator: AsyncIterator<T, unknown> = source[Symbol.asyncIterator]();
  let count = 0;
  return {
    async next() {
      count += 1;
      if (count % VALUES_PER_TURN === 0) await turn();
      return iterator.next();
    },
    async return(value) {
      await iterator.return?.(value);
      return { done: true, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
