import { memoryStore, type SessionStore, SessionStoreError } from '../../session';
import { memoryRuns } from '../../testing';
import { AgentError } from '../../tool';
import { memoryBus, type RunBus } from '../bus';
import type { RunQueue } from '../queue';
import { AgentHealth } from './agent.health';

const SECRET = 'postgres://agent:canary@10.0.0.5/shop';
const UP = { status: 'up' };
const model = { status: 'not asked' };

type Answer = () => Promise<never>;
const never: Answer = () => new Promise(() => undefined);
const failing: Answer = () => Promise.reject(new Error(SECRET));
const throwing: Answer = () => {
  throw new Error(SECRET);
};

const storeWith = (release: SessionStore['release']): SessionStore => ({
  ...memoryStore(),
  release,
});
const busWith = (signal: RunBus['signal']): RunBus => ({ ...memoryBus(), signal });
const checkedBus = (check: Answer): RunBus => ({ ...memoryBus(), check });
const queueWith = (check: Answer): RunQueue => ({ ...memoryRuns(), check });

describe('the health of an agent', () => {
  it('tells of what there is, and asks no model', async () => {
    const store = memoryStore();
    expect(await new AgentHealth(store, null).check()).toEqual({ status: 'up', store: UP, model });
    expect(await new AgentHealth(store, memoryBus(), memoryRuns()).check()).toEqual({
      status: 'up',
      store: UP,
      bus: UP,
      queue: UP,
      model,
    });
  });

  const parts = {
    store: (answer: Answer) => new AgentHealth(storeWith(answer), memoryBus(), memoryRuns()),
    bus: (answer: Answer) => new AgentHealth(memoryStore(), busWith(answer), memoryRuns()),
    'checked bus': (answer: Answer) =>
      new AgentHealth(memoryStore(), checkedBus(answer), memoryRuns()),
    queue: (answer: Answer) => new AgentHealth(memoryStore(), memoryBus(), queueWith(answer)),
  };
  const downOf = (part: string, message: string) => ({
    status: 'down',
    store: UP,
    bus: UP,
    queue: UP,
    model,
    [part.replace('checked ', '')]: { status: 'down', message },
  });

  describe.each(Object.entries(parts))('if only the %s is down', (part, healthWith) => {
    it.each([
      ['rejects', failing],
      ['throws', throwing],
    ])('says so, and shows nothing of the error that it %s with', async (_, answer) => {
      expect(await healthWith(answer).check()).toEqual(downOf(part, 'It failed.'));
    });

    it('says why, in our own words', async () => {
      const errors = [
        new SessionStoreError('store_unavailable', 'The session database cannot be reached.'),
        new AgentError('queue_unavailable', 'The queue of runs cannot be reached.'),
      ];
      for (const error of errors) {
        const state = await healthWith(() => Promise.reject(error)).check();
        expect(state).toEqual(downOf(part, error.message));
      }
    });

    it('is known within a second, though it never answers', async () => {
      jest.useFakeTimers();
      try {
        const check = healthWith(never).check();
        await jest.advanceTimersByTimeAsync(1_000);
        expect(await check).toEqual(downOf(part, 'No answer within 900 ms.'));
      } finally {
        jest.useRealTimers();
      }
    });
  });
});
