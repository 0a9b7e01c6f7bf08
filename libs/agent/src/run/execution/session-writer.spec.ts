import { memoryStore, type SessionStore } from '../../session';
import { agentFixture } from '../fixtures/agent-fixture';

/** A store without `acquireNew`. */
function storeWithout(): SessionStore {
  return Object.assign(memoryStore(), { acquireNew: undefined });
}

/** A store that begins every session empty. */
function storeWithEmpty(): SessionStore {
  const store = memoryStore();
  const acquireNew = store.acquireNew?.bind(store);
  return Object.assign(store, {
    acquireNew: (...[session, ttlMs, limit]: Parameters<NonNullable<typeof acquireNew>>) =>
      acquireNew?.(session, ttlMs, limit),
  });
}

describe.each([
  ['that creates sessions with their leases', memoryStore],
  ['that creates sessions and gives leases', storeWithout],
  ['that begins every session empty', storeWithEmpty],
])('the first message of a session in a store %s', (_, storeOf) => {
  const limit = { options: { runsPerPrincipal: 1 } };
  const alice = { principal: 'alice' };
  it('is stored in a session of the caller, which is free afterwards', async () => {
    const fixture = await agentFixture({ store: storeOf(), steps: ['Hello.'], ...limit });
    const run = await fixture.agent.start({ message: 'go' }, alice);
    const seqs: number[] = [];
    for await (const { seq } of run.events()) seqs.push(seq);
    expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
    const { sessionId } = run;
    const record = await fixture.store.find(sessionId);
    expect(record).toMatchObject({ id: sessionId, owner: 'alice', isHeld: false });
    const types = (await fixture.store.read(sessionId)).map(({ entry }) => entry.type);
    expect(types).toEqual(['run.started', 'message', 'step.finished', 'run.finished']);
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
    expect(await fixture.store.usage?.({ by: [], from: new Date(0) })).toEqual([]);
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
