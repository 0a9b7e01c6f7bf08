import { setImmediate as turn } from 'node:timers/promises';

const VALUES_PER_TURN = 100;

/**
 * The same values, but every so many of them others get a turn: a source that always has the next
 * one would let no timer fire, its own time-out's included, and nobody else be answered.
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
