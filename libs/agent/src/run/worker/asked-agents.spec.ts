import { setTimeout as delay } from 'node:timers/promises';
import { memoryStore, type SessionStore } from '../../session';
import { memoryBus } from '../bus';
import { type Chain, CHAIN_STEPS, chainOfAgents, type World } from '../fixtures/chain-of-agents';
import { DyingStore } from '../fixtures/dying.store';
import { MemoryQueue } from '../fixtures/memory-queue';

const ALICE = { principal: 'alice' };
const LEASE_MS = 15_000;

describe('agents that a run asks in a worker', () => {
  const apps: Chain['app'][] = [];
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(apps.splice(0).map((app) => app.close().catch(() => undefined)));
  });

  const fleet = () => {
    const shared = { store: memoryStore(), bus: memoryBus(), queue: new MemoryQueue() };
    const world: World = { looks: 0, writes: 0, burns: 0 };
    const start = async (
      role: 'web' | 'worker',
      store = shared.store,
      steps: Partial<typeof CHAIN_STEPS> = {},
    ) => {
      const runs = shared.queue.connect(role);
      const options = { runs, bus: shared.bus };
      const chain = await chainOfAgents({ store, world, options, ...steps });
      apps.push(chain.app);
      return { ...chain, runs };
    };
    return { ...shared, world, start };
  };

  it('answer, wait for approvals and go on there', async () => {
    const { start, world, store } = fleet();
    const web = await start('web');
    await start('worker', store, CHAIN_STEPS);
    const asked = await web.agent.chat({ message: 'Burn it' }, ALICE);
    expect(asked).toMatchObject({ status: 'requires_action' });
    const [action] = asked.pendingActions;
    const answer = { callId: action?.callId ?? '', type: 'approve' } as const;
    expect(await web.agent.resolve(asked.runId, [answer], ALICE)).toMatchObject({
      status: 'completed',
      message: 'Done.',
    });
    expect(world).toEqual({ looks: 1, writes: 1, burns: 1 });
    expect(await store.queuedRuns?.({ limit: 9 })).toEqual([]);
  });

  it('are asked once, whenever the worker dies', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    for (const dieAt of [6, 10, 14, 18, 22]) {
      const { start, world, store } = fleet();
      const web = await start('web');
      const dying = new DyingStore(store, dieAt, 'after');
      const first = await start('worker', dying.asStore(), CHAIN_STEPS);
      const run = await web.agent.start({ message: 'Burn it' }, ALICE);
      const isOver = async () => (await store.queuedRuns?.({ limit: 1 }))?.length === 0;
      while (!dying.hasDied && !(await isOver())) await delay(2);
      dying.die();
      await first.runs.close();
      now += LEASE_MS + 1;
      const root = ['Done.', 'Done.', ...CHAIN_STEPS.root];
      await start('worker', store, { ...CHAIN_STEPS, root });
      const { status } = await run.finished;
      expect(['completed', 'requires_action']).toContain(status);
      expect(world.writes).toBeLessThanOrEqual(1);
      expect(world.looks).toBeLessThanOrEqual(2);
      expect(world.burns).toBe(0);
    }
  });

  it('answer the call of a run that is cancelled after its worker died', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { start, store } = fleet();
    const web = await start('web');
    const dying = new DyingStore(store, Infinity, 'before');
    const inner = dying.asStore();
    const append: SessionStore['append'] = async (...args) => {
      const appended = await inner.append(...args);
      // The clerk's run ends first.
      if (args[1].entries.some(({ type }) => type === 'run.finished')) dying.die();
      return appended;
    };
    const own = {
      get: (_: SessionStore, name: string) =>
        name === 'append' ? append : (Reflect.get(inner, name) as unknown),
    };
    const steps = { root: CHAIN_STEPS.root, clerk: ['It burnt.'] };
    const first = await start('worker', new Proxy(inner, own), steps);
    const { runId } = await web.agent.start({ message: 'Burn it' }, ALICE);
    while (!dying.hasDied) await delay(2);
    await first.runs.close();
    now += LEASE_MS + 1;
    expect(await web.agent.cancel(runId, ALICE)).toMatchObject({
      status: 'cancelled',
      toolCalls: [{ output: 'It burnt.', isError: false }],
    });
  });

  it('wait for the same approvals where the worker died before the asking run waited', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { start, world, store } = fleet();
    const web = await start('web');
    const dying = new DyingStore(store, Infinity, 'before');
    const inner = dying.asStore();
    let waiting = 0;
    const append: SessionStore['append'] = async (...args) => {
      const appended = await inner.append(...args);
      if (args[1].entries.some(({ type }) => type === 'run.parked')) waiting += 1;
      // The archive waits, then the clerk.
      if (waiting === 2) dying.die();
      return appended;
    };
    const own = {
      get: (_: SessionStore, name: string) =>
        name === 'append' ? append : (Reflect.get(inner, name) as unknown),
    };
    const first = await start('worker', new Proxy(inner, own), CHAIN_STEPS);
    const run = await web.agent.start({ message: 'Burn it' }, ALICE);
    while (!dying.hasDied) await delay(2);
    await first.runs.close();
    now += LEASE_MS + 1;
    await start('worker', store, { root: ['Done.'], clerk: ['It burns.'], archive: ['Burnt.'] });
    const asked = await run.finished;
    expect(asked).toMatchObject({ status: 'requires_action', pendingActions: [{ name: 'burn' }] });
    const answer = { callId: asked.pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    expect(await web.agent.resolve(asked.runId, [answer], ALICE)).toMatchObject({
      message: 'Done.',
    });
    expect(world).toEqual({ looks: 1, writes: 1, burns: 1 });
  });
});
