import { setImmediate as turn } from 'node:timers/promises';

/** A sequence whose first step may be pending. */
interface Peeked<T> {
  /** Known immediately only if the first step was available. */
  readonly isEmpty: boolean;
  readonly items: AsyncIterable<T>;
}

/** Checks whether a sequence has already ended, without waiting for its first item. */
export async function peek<T>(source: AsyncIterable<T>): Promise<Peeked<T>> {
  const iterator = source[Symbol.asyncIterator]();
  const first = iterator.next();
  const now = await Promise.race([
    // The reader of the sequence receives the error.
    first.catch(() => undefined),
    turn(undefined),
  ]);
  return { isEmpty: now?.done === true, items: startingWith(first, iterator) };
}

async function* startingWith<T>(
  first: Promise<IteratorResult<T>>,
  iterator: AsyncIterator<T>,
): AsyncGenerator<T> {
  try {
    for (let step = await first; step.done !== true; step = await iterator.next()) yield step.value;
  } finally {
    await iterator.return?.();
  }
}
