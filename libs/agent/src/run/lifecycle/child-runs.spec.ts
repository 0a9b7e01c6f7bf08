import { defineTool, ToolRegistry } from '../../registry';
import {
  memoryStore,
  SessionExistsError,
  SessionStoreError,
  type SessionStore,
} from '../../session';
import { Barrier } from '../../testing';
import { type Chain, CHAIN_STEPS, chainOfAgents } from '../fixtures/chain-of-agents';
import type { RunHandle } from '../request';

const STAYS_DONE = 'What it did until then stays done.';

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

/** A run that has reached a tool `hold`, which never returns. */
async function heldRun({ app, agent }: Chain): Promise<RunHandle> {
  const holding = new Barrier();
  const hold = { name: 'hold', description: 'Hold', execute: () => holding.pass() };
  app.get(ToolRegistry).register(defineTool(hold));
  const run = await agent.start({ message: 'go' }, { principal: 'alice' });
  await holding.reached;
  return run;
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

  it('has its effects told if its session cannot be written to any longer', async () => {
    const store = memoryStore();
    const world = { looks: 0, writes: 0, burns: 0 };
    const unavailable: SessionStore = Object.assign(Object.create(store) as SessionStore, {
      append: (async (id, request) => {
        const { parent } = (await store.find(id)) ?? {};
        if (parent === undefined || world.writes === 0) return store.append(id, request);
        throw new SessionStoreError('store_unavailable', 'The session database cannot be reached.');
      }) satisfies SessionStore['append'],
    });
    const { app, agent } = await chainOfAgents({ ...CHAIN_STEPS, store: unavailable, world });
    const { toolCalls } = await agent.chat({ message: 'go' }, { principal: 'alice' });
    expect(world.writes).toBe(1);
    expect(toolCalls[0]?.output).toContain(STAYS_DONE);
    await app.close();
  });

  it('has its effects told if the run is cancelled during a later call of the same step', async () => {
    const world = { looks: 0, writes: 0, burns: 0 };
    const ask = { name: 'ask_clerk', input: { message: 'Burn it' } };
    const root = [{ toolCalls: [ask, { name: 'hold' }] }];
    const chain = await chainOfAgents({ ...CHAIN_STEPS, root, store: memoryStore(), world });
    const run = await heldRun(chain);
    run.cancel();
    const { toolCalls } = await run.finished;
    expect(world).toEqual({ looks: 1, writes: 1, burns: 0 });
    expect(toolCalls[0]?.output).toContain(STAYS_DONE);
    await chain.app.close();
  });

  it('is stopped in its own process when the run is cancelled, without a request in the store', async () => {
    const store = memoryStore();
    const requestStop = jest.spyOn(store as Required<SessionStore>, 'requestStop');
    const archive = [{ toolCalls: [{ name: 'hold' }] }];
    const world = { looks: 0, writes: 0, burns: 0 };
    const chain = await chainOfAgents({ ...CHAIN_STEPS, archive, store, world });
    const run = await heldRun(chain);
    run.cancel();
    expect(await run.finished).toMatchObject({ status: 'cancelled' });
    expect(requestStop).not.toHaveBeenCalled();
    await chain.app.close();
  });

  it('has its effects told if the approval that it waits for comes with a request that ends', async () => {
    const world = { looks: 0, writes: 0, burns: 0 };
    const { app, agent } = await chainOfAgents({ ...CHAIN_STEPS, store: memoryStore(), world });
    const { runId, pendingActions } = await agent.chat({ message: 'go' }, { principal: 'alice' });
    const approval = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    const gone = { principal: 'alice', signal: AbortSignal.abort() };
    const { status, toolCalls } = await agent.resolve(runId, [approval], gone);
    expect({ status, world }).toEqual({
      status: 'cancelled',
      world: { looks: 1, writes: 1, burns: 0 },
    });
    expect(toolCalls[0]?.output).toContain(STAYS_DONE);
    await app.close();
  });

  it.each(['a cancel', 'the next message'])(
    'has its effects told if %s ends the run that waits for an approval',
    async (end) => {
      const world = { looks: 0, writes: 0, burns: 0 };
      const chain = { ...CHAIN_STEPS, store: memoryStore(), world };
      const { app, agent } = await chainOfAgents(chain);
      const owner = { principal: 'alice' };
      const { runId, sessionId } = await agent.chat({ message: 'go' }, owner);
      if (end === 'a cancel') await agent.cancel(runId, owner);
      else await agent.chat({ message: 'Never mind', sessionId }, owner);
      const { status, toolCalls } = await agent.run(runId, owner);
      expect({ status, world }).toMatchObject({ status: 'cancelled', world: { writes: 1 } });
      expect(toolCalls[0]?.output).toContain(STAYS_DONE);
      await app.close();
    },
  );

  it.each([
    ['a cancel', 'allow'],
    ['the next message', 'allow'],
    ['a cancel', 'ask'],
    ['the next message', 'ask'],
  ] as const)(
    'may have had effects if a deployment removed its agent before %s ends the run, with %s',
    async (end, ask_clerk) => {
      const store = memoryStore();
      const chain = { store, world: { looks: 0, writes: 0, burns: 0 } };
      const options = { permissions: { ask_clerk, burn: 'ask' } } as const;
      const before = await chainOfAgents({ ...CHAIN_STEPS, ...chain, options });
      const owner = { principal: 'alice' };
      const { runId, sessionId } = await before.agent.chat({ message: 'go' }, owner);
      if (ask_clerk === 'ask') {
        await before.agent.resolve(runId, [{ callId: 'call_1', type: 'approve' }], owner);
      }
      await before.app.close();
      const { app, agent } = await chainOfAgents({
        ...chain,
        root: ['Well.'],
        options: { agents: [] },
      });
      if (end === 'a cancel') await agent.cancel(runId, owner);
      else await agent.chat({ message: 'Never mind', sessionId }, owner);
      const { status, toolCalls } = await agent.run(runId, owner);
      expect(status).toBe('cancelled');
      expect(toolCalls).toMatchObject([
        { output: expect.stringContaining('outcome is unknown') as string },
      ]);
      await app.close();
    },
  );
});
