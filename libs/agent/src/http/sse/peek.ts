/** The rest of a sequence whose first step may be under way. */
interface Peeked<T> {
  /** Known at once only where the sequence had its first step at hand. */
  readonly isEmpty: boolean;
  readonly items: AsyncIterable<T>;
}

/** Looks whether a sequence is over already, without waiting for its first item. */
export async function peek<T>(source: AsyncIterable<T>): Promise<Peeked<T>> {
  const iterator = source[Symbol.asyncIterator]();
  const first = iterator.next();
  const now = await Promise.race([
    // What it fails with, its reader hears.
    first.catch(() => undefined),
    new Promise<undefined>((go) => setImmediate(() => go(undefined))),
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
