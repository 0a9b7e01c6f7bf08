import { memoryStore, type SessionStore } from '../../session';
import { memoryBus, type RunBus } from '../bus';
import { AgentHealth } from './agent.health';

const never = (): Promise<never> => new Promise(() => undefined);
const failing = (): Promise<never> => Promise.reject(new Error('away'));

const storeWith = (find: SessionStore['find']): SessionStore => ({ ...memoryStore(), find });
const busWith = (signal: RunBus['signal']): RunBus => ({ ...memoryBus(), signal });

describe('the health of an agent', () => {
  it('is what an indicator of Terminus returns, and asks no model', async () => {
    expect(await new AgentHealth(memoryStore(), null).check()).toEqual({
      status: 'up',
      store: 'up',
      model: 'not asked',
    });
    expect(await new AgentHealth(memoryStore(), memoryBus()).check()).toEqual({
      status: 'up',
      store: 'up',
      bus: 'up',
      model: 'not asked',
    });
  });

  it('is down if the store or the bus fails', async () => {
    const thrown = (): never => {
      throw new Error('away');
    };
    for (const find of [failing, thrown]) {
      expect(await new AgentHealth(storeWith(find), memoryBus()).check()).toMatchObject({
        status: 'down',
        store: 'down',
        bus: 'up',
      });
    }
    expect(await new AgentHealth(memoryStore(), busWith(failing)).check()).toMatchObject({
      status: 'down',
      store: 'up',
      bus: 'down',
    });
  });

  it('is known within a second, though nothing answers', async () => {
    jest.useFakeTimers();
    try {
      const check = new AgentHealth(storeWith(never), busWith(never)).check();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(await check).toMatchObject({ status: 'down', store: 'down', bus: 'down' });
    } finally {
      jest.useRealTimers();
    }
  });
});
