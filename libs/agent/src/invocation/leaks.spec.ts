import { getEventListeners } from 'node:events';
import { from } from 'rxjs';
import { executeAll } from './execute-all';
import { engine, silenceLog, tool } from './fixtures/engine';

const CALLS = 10_000;

beforeAll(silenceLog);

describe('after 10 000 calls', () => {
  it('no timer, handle or abort listener is left', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const kinds = [
      tool('sync', () => 1, { concurrencySafe: true }),
      tool('promise', () => Promise.resolve(1), { concurrencySafe: true }),
      tool('observable', () => from([1, 2]), { concurrencySafe: true }),
      tool('iterable', async function* () {
        yield 1;
        yield 2;
      }),
      tool('listens', (_, ctx) => ctx.signal.addEventListener('abort', () => undefined)),
      tool('fails', () => Promise.reject(new Error('no'))),
    ];
    const { calls } = engine({ tools: kinds, sink: { record: () => undefined } });
    const resources = process.getActiveResourcesInfo().sort();
    for (let made = 0; made < CALLS; made += 100) {
      const batch = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          calls.create(
            kinds[index % kinds.length]?.definition.name ?? '',
            {},
            {
              signal,
              sessionId: `s${made + index}`,
              principal: 'alice',
            },
          ),
        ),
      );
      const responses = await executeAll(batch, { maxConcurrency: 50 });
      expect(responses.every(({ content }) => content !== undefined)).toBe(true);
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(process.getActiveResourcesInfo().sort()).toEqual(resources);
  }, 60_000);

  it('a signal shared by many running calls is let go by all of them', async () => {
    const controller = new AbortController();
    const hang = tool('hang', () => new Promise(() => undefined), { concurrencySafe: true });
    const { calls } = engine({ tools: [hang] });
    const batch = await Promise.all(
      Array.from({ length: 200 }, () => calls.create('hang', {}, { signal: controller.signal })),
    );
    const done = executeAll(batch, { maxConcurrency: 200 });
    await new Promise(setImmediate);
    expect(getEventListeners(controller.signal, 'abort').length).toBeGreaterThan(0);
    controller.abort();
    const responses = await done;
    expect(responses.every(({ status }) => status === 'interrupted')).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
