import { memoryStore, SessionExistsError, type SessionStore } from '../../session';
import { CHAIN_STEPS, chainOfAgents } from '../fixtures/chain-of-agents';

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
});
