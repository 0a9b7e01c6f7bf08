import { Batched, batchesOf } from './batched';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function* batches(onLeave: () => void = () => undefined): AsyncGenerator<readonly number[]> {
  try {
    yield [1, 2];
    yield [];
    yield await Promise.resolve([3]);
  } finally {
    onLeave();
  }
}

describe('Batched', () => {
  it('yields items on iteration, and batches on request', async () => {
    expect(await all(new Batched(batches()))).toEqual([1, 2, 3]);
    expect(await all(batchesOf(new Batched(batches())))).toEqual([[1, 2], [], [3]]);
  });

  it('ends its source where the reader leaves', async () => {
    let hasLeft = false;
    for await (const item of new Batched(batches(() => (hasLeft = true)))) if (item === 2) break;
    expect(hasLeft).toBe(true);
  });
});

describe('batchesOf', () => {
  it('makes a batch of each item of another sequence', async () => {
    async function* items(): AsyncGenerator<string> {
      yield 'a';
      yield await Promise.resolve('b');
    }
    expect(await all(batchesOf(items()))).toEqual([['a'], ['b']]);
  });
});
