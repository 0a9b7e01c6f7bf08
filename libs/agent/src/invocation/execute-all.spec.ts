import fc from 'fast-check';
import type { ToolCall } from '../tool';
import { executeAll } from './execute-all';
import { engine, silenceLog, tool } from './fixtures/engine';

/** Lets a test hold tools back and let them go. */
class Barrier {
  readonly arrived: string[] = [];
  private readonly waiting = new Map<string, () => void>();

  wait(name: string): Promise<void> {
    this.arrived.push(name);
    return new Promise((resolve) => this.waiting.set(name, resolve));
  }

  release(name: string): void {
    this.waiting.get(name)?.();
  }
}

const settled = () => new Promise(setImmediate);

beforeAll(silenceLog);

describe('executeAll', () => {
  const named = { input: { type: 'object', properties: { id: { type: 'string' } } } };

  function setUp() {
    const barrier = new Barrier();
    const run = async ({ id }: Readonly<Record<string, unknown>>) => {
      await barrier.wait(String(id));
      return id;
    };
    const { calls } = engine({
      tools: [tool('read', run, { ...named, readOnly: true }), tool('write', run, named)],
    });
    const create = (...names: string[]): Promise<ToolCall[]> =>
      Promise.all(names.map((id) => calls.create(id.startsWith('w') ? 'write' : 'read', { id })));
    return { barrier, create };
  }

  it('runs safe neighbours beside each other and answers in call order', async () => {
    const { barrier, create } = setUp();
    const done = executeAll(await create('r1', 'r2', 'r3'));
    await settled();
    expect(barrier.arrived).toEqual(['r1', 'r2', 'r3']);
    for (const id of ['r3', 'r1', 'r2']) barrier.release(id);
    expect((await done).map(({ result }) => result)).toEqual(['r1', 'r2', 'r3']);
  });

  it('runs every other call alone, in order', async () => {
    const { barrier, create } = setUp();
    const done = executeAll(await create('r1', 'w1', 'w2', 'r2', 'r3'));
    const expected: string[] = [];
    for (const together of [['r1'], ['w1'], ['w2'], ['r2', 'r3']]) {
      await settled();
      expected.push(...together);
      expect(barrier.arrived).toEqual(expected);
      together.forEach((id) => barrier.release(id));
    }
    expect((await done).map(({ status }) => status)).toEqual(Array(5).fill('executed'));
  });

  it('keeps the limit, and no two at a time without parallelism', async () => {
    for (const options of [{ maxConcurrency: 2 }, { parallel: false }, { maxConcurrency: 0 }]) {
      const { barrier, create } = setUp();
      const done = executeAll(await create('r1', 'r2', 'r3', 'r4'), options);
      await settled();
      expect(barrier.arrived).toHaveLength(
        'maxConcurrency' in options && options.maxConcurrency ? 2 : 1,
      );
      for (const id of ['r1', 'r2', 'r3', 'r4']) {
        barrier.release(id);
        await settled();
      }
      expect((await done).map(({ result }) => result)).toEqual(['r1', 'r2', 'r3', 'r4']);
    }
  });

  it('waits for the siblings of a call whose execution is rejected, then tells of it', async () => {
    const { barrier, create } = setUp();
    const calls = await create('r1', 'r2');
    const done = executeAll(calls, {
      execute: (call) =>
        call.input['id'] === 'r1' ? Promise.reject(new Error('store')) : call.response.execute(),
    });
    const outcome = jest.fn();
    void done.catch(outcome);
    await settled();
    expect(outcome).not.toHaveBeenCalled();
    barrier.release('r2');
    await expect(done).rejects.toThrow('store');
    expect(calls[1]?.response.status).toBe('executed');
  });

  it('reaches all running calls with a cancel, and starts no further one', async () => {
    const controller = new AbortController();
    const seen: AbortSignal[] = [];
    const started: unknown[] = [];
    const hang = tool(
      'hang',
      ({ id }, { signal }) => {
        started.push(id);
        seen.push(signal);
        return new Promise(() => undefined);
      },
      { ...named, readOnly: true },
    );
    const { calls } = engine({ tools: [hang] });
    const created = await Promise.all(
      ['1', '2', '3'].map((id) => calls.create('hang', { id }, { signal: controller.signal })),
    );
    const done = executeAll(created, { maxConcurrency: 2 });
    await settled();
    controller.abort();
    expect((await done).map(({ status }) => status)).toEqual(Array(3).fill('interrupted'));
    expect(started).toEqual(['1', '2']);
    expect(seen.every(({ aborted }) => aborted)).toBe(true);
  });
});

describe('any mix of outcomes', () => {
  const OUTCOMES = {
    ok: 'executed',
    fail: 'failed',
    reject: 'failed',
    slow: 'failed',
    ask: 'awaiting_approval',
    deny: 'declined',
    cancelled: 'interrupted',
    nothing: 'not_found',
    malformed: 'failed',
  } as const;
  type Outcome = keyof typeof OUTCOMES;
  const names = Object.keys(OUTCOMES) as Outcome[];

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('ends with exactly one settled response per call, in call order', async () => {
    const outcome = fc.record({ name: fc.constantFrom(...names), isSafe: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(outcome, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (mix, maxConcurrency) => {
          const body: Partial<Record<Outcome, () => unknown>> = {
            fail: () => {
              throw new Error('fail');
            },
            reject: () => Promise.reject(new Error('reject')),
            slow: () => new Promise(() => undefined),
          };
          const { calls, records } = engine({
            tools: names
              .filter((name) => name !== 'nothing')
              .flatMap((name) =>
                [true, false].map((concurrencySafe) =>
                  tool(`${name}_${concurrencySafe}`, body[name] ?? (() => name), {
                    concurrencySafe,
                  }),
                ),
              ),
            permissions: { 'ask_*': 'ask', 'deny_*': () => Promise.resolve('deny') },
          });
          const gone = AbortSignal.abort();
          const created = await Promise.all(
            mix.map(({ name, isSafe }, index) =>
              calls.create(`${name}_${isSafe}`, name === 'malformed' ? '{' : {}, {
                callId: `id${index}`,
                ...(name === 'cancelled' && { signal: gone }),
              }),
            ),
          );
          const executed = executeAll(created, { maxConcurrency });
          await jest.runAllTimersAsync();
          const responses = await executed;
          expect(responses.map(({ call }) => call.id)).toEqual(mix.map((_, index) => `id${index}`));
          expect(responses.map(({ status }) => status)).toEqual(
            mix.map(({ name }) => OUTCOMES[name]),
          );
          const settled = created.filter(({ response }) => response.content !== undefined);
          expect(settled).toEqual(created.filter((_, index) => mix[index]?.name !== 'ask'));
          expect(records.map(({ callId }) => callId).sort()).toEqual(
            settled.map(({ id }) => id).sort(),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
