import { memoryStore, SessionExistsError, type SessionStore } from '../../session';
import { CHAIN_STEPS, chainOfAgents } from '../fixtures/chain-of-agents';

type Store = Required<Pick<SessionStore, 'acquireNew'>> & SessionStore;

/** A store with other methods, and a run that asks the clerk twice. */
async function askedTwice(methods: (store: Store) => Partial<SessionStore>) {
  const store = memoryStore() as Store;
  const changed = Object.assign(Object.create(store) as SessionStore, methods(store));
  const asks = { toolCalls: [{ name: 'ask_clerk', input: { message: 'Hello' } }] };
  const chain = await chainOfAgents({
    store: changed,
    world: { looks: 0, writes: 0, burns: 0 },
    root: [asks, asks, 'Done.'],
    clerk: ['One.', 'Two.'],
  });
  const result = await chain.agent.chat({ message: 'go' }, { principal: 'alice' });
  await chain.app.close();
  expect(result).toMatchObject({ status: 'completed', message: 'Done.' });
  return result.toolCalls.map(({ output }) => output);
}

describe('a question to another agent', () => {
  it('fails where its session can neither be found nor created', async () => {
    const store = memoryStore();
    const refused: string[] = [];
    const contrary: SessionStore = Object.assign(Object.create(store) as SessionStore, {
      acquireNew: ((session, ttlMs, limit) => {
        if (session.parent === undefined) return store.acquireNew!(session, ttlMs, limit);
        refused.push(session.id);
        return Promise.reject(new SessionExistsError());
      }) satisfies SessionStore['acquireNew'],
    });
    const world = { looks: 0, writes: 0, burns: 0 };
    const { app, agent, models } = await chainOfAgents({
      ...CHAIN_STEPS,
      store: contrary,
      world,
    });
    expect(await agent.chat({ message: 'go' }, { principal: 'alice' })).toMatchObject({
      status: 'completed',
      toolCalls: [{ name: 'ask_clerk', isError: true }],
    });
    expect(refused).toHaveLength(3);
    expect(new Set(refused).size).toBe(1);
    expect(models.clerk.requests).toEqual([]);
    await app.close();
  });

  it('is asked in another session where its own was locked meanwhile', async () => {
    const created: string[] = [];
    const answers = await askedTwice((store) => ({
      acquireNew: (session, ...more) => {
        created.push(session.id);
        return store.acquireNew(session, ...more);
      },
      acquire: (id, ...more) =>
        id === created[1] ? Promise.resolve(undefined) : store.acquire(id, ...more),
    }));
    expect(answers).toEqual(['One.', 'Two.']);
    expect(new Set(created).size).toBe(3);
  });

  it('fails alone where the answer of a store that locked its session is lost', async () => {
    const created: string[] = [];
    const answers = await askedTwice((store) => ({
      acquireNew: async (session, ...more) => {
        const lease = await store.acquireNew(session, ...more);
        if (created.push(session.id) === 2) throw new Error('The connection is gone.');
        return lease;
      },
    }));
    expect(answers).toEqual([expect.not.stringContaining('connection'), 'One.']);
    // The first one stays locked until its lease expires.
    expect(new Set(created).size).toBe(3);
  });
});
