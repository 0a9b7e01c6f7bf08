import { acceptsEventStream } from './accept';
import { peek } from './peek';
import { eventEncoder } from './sse.encoder';

describe('acceptsEventStream', () => {
  it.each([
    ['text/event-stream', true],
    ['application/json, Text/Event-Stream;q=0.5', true],
    ['text/event-stream;q=0', false],
    ['text/event-stream; q=0.0', false],
    ['*/*', false],
    ['text/*', false],
    ['', false],
    [undefined, false],
  ])('reads %p as %p', (accept, expected) => {
    expect(acceptsEventStream({ headers: { accept } })).toBe(expected);
  });
});

describe('eventEncoder', () => {
  it('keeps line breaks of every kind out of the frame', () => {
    const frame = eventEncoder.encode({
      type: 'text.delta',
      delta: 'a\r\nb\n\nc\u2028data: x',
      runId: 'run_1',
      seq: 9,
    });
    expect(frame.split('\n')).toHaveLength(5);
    expect(frame).not.toContain('\r');
    const data = frame.split('\n')[2]?.slice('data: '.length) ?? '';
    expect(JSON.parse(data)).toMatchObject({ delta: 'a\r\nb\n\nc\u2028data: x' });
  });
});

describe('peek', () => {
  async function* count(to: number): AsyncGenerator<number> {
    for (let at = 1; at <= to; at += 1) yield await Promise.resolve(at);
  }
  const all = async (items: AsyncIterable<number>): Promise<number[]> => {
    const found: number[] = [];
    for await (const item of items) found.push(item);
    return found;
  };

  it('tells an empty sequence, and loses nothing of another', async () => {
    expect((await peek(count(0))).isEmpty).toBe(true);
    const { isEmpty, items } = await peek(count(3));
    expect(isEmpty).toBe(false);
    expect(await all(items)).toEqual([1, 2, 3]);
  });

  it('waits for no item that is not there yet', async () => {
    let release!: (value: IteratorResult<number>) => void;
    const later = new Promise<IteratorResult<number>>((resolve) => (release = resolve));
    const { isEmpty } = await peek({ [Symbol.asyncIterator]: () => ({ next: () => later }) });
    expect(isEmpty).toBe(false);
    release({ done: true, value: undefined });
  });

  it('ends its source where the reader leaves', async () => {
    let isEnded = false;
    const { items } = await peek(
      (async function* () {
        try {
          yield* count(5);
        } finally {
          isEnded = true;
        }
      })(),
    );
    for await (const item of items) if (item === 2) break;
    expect(isEnded).toBe(true);
  });
});
