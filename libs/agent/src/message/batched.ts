/**
 * A sequence that knows which of its items arrived together. Plain iteration works as usual; code
 * that handles thousands of items iterates over batches, since one step of an asynchronous loop
 * costs more than the usual work on an item.
 */
export class Batched<T> implements AsyncIterable<T> {
  constructor(readonly batches: AsyncIterable<readonly T[]>) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const batch of this.batches) yield* batch;
  }
}

/** The sequence's batches; single items if the sequence has no batches. */
export function batchesOf<T>(items: AsyncIterable<T>): AsyncIterable<readonly T[]> {
  return items instanceof Batched ? (items as Batched<T>).batches : alone(items);
}

async function* alone<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[], void, undefined> {
  for await (const item of items) yield [item];
}
