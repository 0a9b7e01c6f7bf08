import { setImmediate } from 'node:timers';
import { TurnQueue } from './turn-queue';

/** Counts the turns of the event loop while something is under way. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

describe('calls that begin by turns', () => {
  it('begin at once while they are few', () => {
    const queue = new TurnQueue();
    expect(Array.from({ length: 16 }, () => queue.next())).toEqual(Array(16).fill(undefined));
    expect(queue.next()).toBeInstanceOf(Promise);
  });

  it('let the event loop turn, one after another', async () => {
    const queue = new TurnQueue();
    const turns = await turnsDuring(async () => {
      for (let call = 0; call < 160; call += 1) await queue.next();
    });
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('let the event loop turn, all at once, and keep their order', async () => {
    const queue = new TurnQueue();
    const order: number[] = [];
    const calls = Array.from({ length: 160 }, (_, call) => call);
    const turns = await turnsDuring(() =>
      Promise.all(
        calls.map(async (call) => {
          await queue.next();
          order.push(call);
        }),
      ),
    );
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(order).toEqual(calls);
  });

  it('begin at once again after a rest', async () => {
    const queue = new TurnQueue();
    await Promise.all(Array.from({ length: 40 }, async () => queue.next()));
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(queue.next()).toBeUndefined();
  });
});
