/**
 * A sequence that knows which of its items came at once. To whoever just iterates it is a sequence
 * like any other; who handles items by the thousand takes the batches, since every step of an
 * asynchronous loop costs more than what is usually done with an item.
 */
export class Batched<T> implements AsyncIterable<T> {
  constructor(readonly batches: AsyncIterable<readonly T[]>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.batches) yield* batch;
  }
}

/** The sequence's batches; each item is one of its own where the sequence knows of none. */
export function batchesOf<T>(items: AsyncIterable<T>): AsyncIterable<readonly T[]> {
  return items instanceof Batched ? (items as Batched<T>).batches : alone(items);
}

async function* alone<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[], void, undefined> {
  for await (const item of items) yield [item];
}
