import type { AgentEvent } from '../message';
import type { Appending, RunStream } from './run-stream';
import { SentRun } from './sent-run';

const FLUSH_MS = 50;
const MANY = 1_000;

function eventsOf(from: number, to: number): readonly AgentEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    type: 'text.delta',
    delta: '',
    runId: 'run',
    seq: from + index,
  }));
}

/** A run whose requests the test answers one by one. */
function sending({ flushMs = FLUSH_MS, isReady = (): boolean => true } = {}) {
  const requests: Appending[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const stream = {
    append: (appending: Appending) => {
      requests.push(appending);
      return new Promise<boolean>((resolve, reject) =>
        answers.push((error) => (error ? reject(error) : resolve(true))),
      );
    },
    clear: () => Promise.resolve(),
  } as unknown as RunStream;
  const opened = { runId: 'run', lastSeq: 0, leaseToken: 1, onSignal: () => undefined };
  const callbacks = { isReady, onOver: () => undefined, onRefused: () => undefined };
  const run = new SentRun(opened, stream, { retainMs: 60_000, flushMs, ...callbacks });
  /** Answers the next request and runs its continuations. */
  const answer = async (error?: Error): Promise<void> => {
    await turn();
    answers.shift()?.(error);
    await turn();
  };
  return { run, requests, answer };
}

/** Resolves after all pending microtasks and immediates. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const numbersOf = ({ before, events }: Appending) => ({
  before,
  from: events[0]?.seq,
  to: events.at(-1)?.seq,
});

describe('SentRun', () => {
  it('takes more events at once than a call takes arguments', () => {
    const { run } = sending();
    expect(() => run.publish(eventsOf(1, 200_000))).not.toThrow();
  });

  it('merges pieces for longer with each 1 000 events that wait, and not at all with flushMs 0', async () => {
    const { run, answer } = sending();
    expect(run.mergeMs).toBe(FLUSH_MS);
    run.publish(eventsOf(1, MANY - 1));
    expect(run.mergeMs).toBe(FLUSH_MS);
    run.publish(eventsOf(MANY, MANY));
    expect(run.mergeMs).toBe(2 * FLUSH_MS);
    run.publish(eventsOf(MANY + 1, 3 * MANY));
    expect(run.mergeMs).toBe(4 * FLUSH_MS);
    // Each request has 200 events.
    for (let request = 0; request < 10; request += 1) await answer();
    expect(run.mergeMs).toBe(2 * FLUSH_MS);
    expect(sending({ flushMs: 0 }).run.mergeMs).toBeUndefined();
  });

  it('repeats up to 1 000 events whose request failed', async () => {
    const { run, requests, answer } = sending();
    run.publish(eventsOf(1, MANY));
    await answer(new Error('Command timed out'));
    run.sendSoon();
    await answer();
    expect(requests.map(numbersOf)).toMatchObject([
      { before: 0, from: 1, to: 200 },
      { before: 0, from: 1, to: 200 },
      { before: 200, from: 201, to: 400 },
    ]);
  });

  it("sends a run's last events with its end", async () => {
    const { run, requests, answer } = sending();
    await answer();
    run.publish(eventsOf(1, 2));
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    run.close();
    await answer();
    expect(requests.slice(1)).toEqual([
      expect.objectContaining({ events: eventsOf(1, 2), isOver: true }),
    ]);
  });

  it('leaves out more than 1 000 events whose request failed, and goes on above them', async () => {
    const { run, requests, answer } = sending();
    run.publish(eventsOf(1, MANY + 1));
    await answer(new Error('Command timed out'));
    expect(run.mergeMs).toBe(FLUSH_MS);
    run.publish(eventsOf(MANY + 2, MANY + 3));
    await answer();
    expect(requests.slice(1).map(numbersOf)).toEqual([
      { before: MANY + 1, from: MANY + 2, to: MANY + 3 },
    ]);
  });

  it('leaves out more than 1 000 events while Redis is away', async () => {
    let isThere = false;
    const { run, requests, answer } = sending({ isReady: () => isThere });
    run.publish(eventsOf(1, MANY));
    run.publish(eventsOf(MANY + 1, MANY + 1));
    run.publish(eventsOf(MANY + 2, MANY + 2));
    await turn();
    expect(requests).toEqual([]);
    isThere = true;
    run.sendSoon();
    await answer();
    expect(requests.map(numbersOf)).toEqual([{ before: MANY + 1, from: MANY + 2, to: MANY + 2 }]);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'sends at once what is published %d microtasks after an answer',
    async (ticks) => {
      const requests: Appending[] = [];
      let wait = ticks;
      const publish = async (): Promise<void> => {
        for (; wait > 0; wait -= 1) await Promise.resolve();
        run.publish(eventsOf(1, 1));
        run.close();
      };
      const append = (appending: Appending): Promise<boolean> => {
        requests.push(appending);
        if (requests.length === 1) void publish();
        return Promise.resolve(true);
      };
      const stream = { append, clear: () => Promise.resolve() } as unknown as RunStream;
      const opened = { runId: 'run', lastSeq: 0, leaseToken: 1, onSignal: () => undefined };
      const onOver = jest.fn();
      const callbacks = { isReady: () => true, onOver, onRefused: () => undefined };
      const options = { retainMs: 60_000, flushMs: FLUSH_MS, ...callbacks };
      const run: SentRun = new SentRun(opened, stream, options);
      await turn();
      expect(requests.flatMap(({ events }) => events)).toEqual(eventsOf(1, 1));
      expect(requests.at(-1)).toMatchObject({ isOver: true });
      expect(onOver).toHaveBeenCalled();
    },
  );
});
