import { memoryStore, type SessionStore } from '../../session';
import { agentFixture } from '../fixtures/agent-fixture';

/** A store without `acquireNew`. */
function storeWithout(): SessionStore {
  return Object.assign(memoryStore(), { acquireNew: undefined });
}

describe.each([
  ['that creates sessions with their leases', memoryStore],
  ['that creates sessions and gives leases', storeWithout],
])('the first message of a session in a store %s', (_, storeOf) => {
  const limit = { options: { runsPerPrincipal: 1 } };
  const alice = { principal: 'alice' };
  it('is stored in a session of the caller, which is free afterwards', async () => {
    const fixture = await agentFixture({ store: storeOf(), steps: ['Hello.'], ...limit });
    const { sessionId } = await fixture.agent.chat({ message: 'go' }, alice);
    const record = await fixture.store.find(sessionId);
    expect(record).toMatchObject({ id: sessionId, owner: 'alice', isHeld: false });
    expect(record?.version).toBeGreaterThan(2);
  });

  it('leaves no session where another process has the owner’s last run', async () => {
    const fixture = await agentFixture({ store: storeOf(), ...limit });
    await fixture.store.create({ id: 'elsewhere', owner: 'alice' });
    await fixture.store.acquire('elsewhere', 60_000);
    const refused = fixture.agent.chat({ message: 'go' }, alice);
    await expect(refused).rejects.toMatchObject({ code: 'too_many_runs' });
    expect(await fixture.store.count()).toBe(1);
  });

  it('leaves no session where the run cannot begin', async () => {
    const systemPrompt = () => Promise.reject(new Error('Away.'));
    const fixture = await agentFixture({ store: storeOf(), options: { systemPrompt } });
    await expect(fixture.agent.chat({ message: 'go' }, alice)).rejects.toThrow('Away.');
    expect(await fixture.store.count()).toBe(0);
  });
});

it('leaves no session where the answer of a store that made it is lost', async () => {
  const store = memoryStore();
  const acquireNew = store.acquireNew?.bind(store);
  const losing = Object.assign(store, {
    acquireNew: async (...asked: Parameters<NonNullable<typeof acquireNew>>) => {
      await acquireNew?.(...asked);
      throw new Error('The connection is gone.');
    },
  });
  const fixture = await agentFixture({ store: losing });
  await expect(fixture.agent.chat({ message: 'go' })).rejects.toThrow('The connection is gone.');
  expect(await store.count()).toBe(0);
  await fixture.module.close();
});
