import type { AuditRecord } from '../../invocation';
import { toolUsesOf, type AgentEvent, type JsonObject } from '../../message';
import { memoryStore, type RecordedEntry, type SessionStore } from '../../session';
import type { ChatAction } from '../request';
import { childSessionId } from './child-runs';
import { CHAIN_STEPS, chainOfAgents, type World } from '../fixtures/chain-of-agents';
import { DyingStore } from '../fixtures/dying.store';

const OWNER = { principal: 'alice' };
const SESSION = 'ses_chain';
const CLERK = childSessionId(SESSION, 'clerk', 0);
const ARCHIVE = childSessionId(CLERK, 'archive', 0);
/** The store operations of a run of three agents, including the request that answers it. */
const OPERATIONS = 74;
/** The operation that parks the run until its approval, and the one that continues it. */
const PARKS = 32;
const TAKES_UP = 51;

/** A process that died, and the events that its readers received. */
interface Wreck {
  readonly store: SessionStore;
  readonly world: World;
  readonly records: AuditRecord[];
  readonly told: readonly AgentEvent[];
  readonly runId: string;
  readonly operations: number;
}

describe('after the process of an agent that asks others died', () => {
  let now = performance.now();
  let clock: jest.SpyInstance;
  beforeEach(() => {
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => clock.mockRestore());

  const crash = async (dieAt: number, moment: 'before' | 'after'): Promise<Wreck> => {
    const store = memoryStore();
    await store.create({ id: SESSION, owner: 'alice' });
    const dying = new DyingStore(store, dieAt, moment);
    const world = { looks: 0, writes: 0, burns: 0 };
    const records: AuditRecord[] = [];
    const told: AgentEvent[] = [];
    // A killed process records nothing after its death.
    const audit = (record: AuditRecord) => dying.hasDied || records.push(record);
    const hear = (event: AgentEvent) => dying.hasDied || told.push(event);
    const { app, agent } = await chainOfAgents({
      ...CHAIN_STEPS,
      store: dying.asStore(),
      world,
      audit,
    });
    let runId = '';
    try {
      const started = await agent.start({ message: 'go', sessionId: SESSION }, OWNER);
      runId = started.runId;
      for await (const event of started.events()) hear(event);
      const { pendingActions } = await started.finished;
      const answers = pendingActions.map(
        ({ callId }) => ({ callId, type: 'approve', input: { n: 1 } }) as const,
      );
      if (answers.length > 0) {
        const resumed = await agent.resume(runId, answers, OWNER);
        for await (const event of resumed.events()) hear(event);
      }
    } catch {
      // The process died.
    }
    const { operations } = dying;
    dying.die();
    // The request may have started the run although its reply was lost.
    for (const { entry } of await store.read(SESSION)) {
      if (entry.type === 'run.started') runId = entry.runId;
    }
    await app.close().catch(() => undefined);
    now += 15_001;
    return { store, world, records, told, runId, operations };
  };

  const entriesOf = async (store: SessionStore, id: string): Promise<readonly RecordedEntry[]> =>
    (await store.find(id)) ? (await store.read(id)).map(({ entry }) => entry) : [];

  /** Whether the run of the wreck waits for an approval. */
  const isWaiting = async ({ store }: Wreck): Promise<boolean> => {
    const last = (await entriesOf(store, SESSION)).findLast(({ type }) => type.startsWith('run.'));
    return last?.type === 'run.parked';
  };

  /** Checks the histories, the audit and the events of all three agents. */
  const check = async (wreck: Wreck, agentEvents: readonly AgentEvent[]): Promise<void> => {
    const { store, world, records, told } = wreck;
    expect(world.writes).toBeLessThanOrEqual(1);
    expect(world.burns).toBeLessThanOrEqual(1);
    for (const id of [SESSION, CLERK, ARCHIVE]) {
      const entries = await entriesOf(store, id);
      const types = entries.map(({ type }) => type);
      const count = (type: string) => types.filter((each) => each === type).length;
      expect(count('run.finished')).toBe(count('run.started'));
      // A question is asked once.
      if (id !== SESSION) expect(count('run.started')).toBeLessThanOrEqual(1);
      const calls = entries.flatMap((entry) =>
        entry.type === 'step.finished' ? toolUsesOf(entry.message) : [],
      );
      const settled = entries.flatMap((entry) => (entry.type === 'call.settled' ? [entry] : []));
      expect(settled.map(({ result }) => result.tool_use_id).toSorted()).toEqual(
        calls.map((call) => call.id).toSorted(),
      );
      for (const { result, outcome } of settled) {
        const own = records.filter(({ callId }) => callId === result.tool_use_id);
        expect(own.length).toBeGreaterThanOrEqual(1);
        expect(own.at(-1)).toMatchObject({ outcome: outcome === 'ok' ? 'executed' : outcome });
        // A second record follows only if the process could not store the first result.
        expect(own.length).toBeLessThanOrEqual(2);
        if (own.length > 1) expect(own[0]).toMatchObject({ outcome: 'executed' });
      }
    }
    const bySeq = new Map(agentEvents.map((event) => [event.seq, event]));
    expect(bySeq.size).toBe(agentEvents.length);
    for (const event of told) {
      const stored = bySeq.get(event.seq);
      if (stored) expect({ ...stored }).toEqual({ ...event });
    }
  };

  const recover = async (wreck: Wreck, reaction: 'message' | 'answer'): Promise<void> => {
    const { store, world, records, runId } = wreck;
    const before = new Map<string, readonly RecordedEntry[]>();
    for (const id of [SESSION, CLERK, ARCHIVE]) before.set(id, await entriesOf(store, id));
    const { app, agent, models } = await chainOfAgents({
      store,
      world,
      audit: (record) => records.push(record),
    });
    try {
      if (reaction === 'answer') {
        const { pendingActions } = await agent.run(runId, OWNER);
        models.root.push('Done.');
        models.clerk.push('It burns.');
        models.archive.push('Burnt.');
        const answers = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }) as const);
        const done = await agent.resolve(runId, answers, OWNER);
        expect(done).toMatchObject({ status: 'completed', message: 'Done.' });
        expect(world.burns).toBe(1);
      }
      models.root.push('Welcome back.');
      const next = await agent.chat({ message: 'and now?', sessionId: SESSION }, OWNER);
      expect(next).toMatchObject({ status: 'completed', message: 'Welcome back.' });
      const events: AgentEvent[] = [];
      const isStored = before.get(SESSION)?.some(({ type }) => type === 'run.started');
      if (isStored) {
        for await (const event of await agent.events(runId, OWNER)) events.push(event);
        expect(events.at(-1)?.type).toBe('run.finished');
      }
      if (reaction === 'message') {
        expect(models.clerk.requests).toEqual([]);
        expect(models.archive.requests).toEqual([]);
      }
      for (const [id, entries] of before) {
        expect((await entriesOf(store, id)).slice(0, entries.length)).toEqual(entries);
      }
      await check(wreck, events);
    } finally {
      await app.close();
    }
  };

  const LAST_ANSWERS: readonly [name: string, answer: ChatAction, burnt: JsonObject | undefined][] =
    [
      ['the same', { callId: '', type: 'approve', input: { n: 1 } }, { n: 1 }],
      ['other arguments', { callId: '', type: 'approve', input: { n: 2 } }, { n: 2 }],
      ['the shown arguments', { callId: '', type: 'approve' }, {}],
      ['no', { callId: '', type: 'reject' }, undefined],
    ];

  it.each([CLERK, SESSION].flatMap((id) => LAST_ANSWERS.map((each) => [id, ...each] as const)))(
    'an approval that %s could not store is asked for again, and the later answer counts: %s',
    async (broken, _, answer, burnt) => {
      const store = memoryStore();
      await store.create({ id: SESSION, owner: 'alice' });
      let isAway = true;
      const append: SessionStore['append'] = (id, options) => {
        const isAnswer = options.entries.some(({ type }) => type === 'action.answered');
        if (isAnswer && isAway && id === broken) return Promise.reject(new Error('Away'));
        return store.append(id, options);
      };
      const world = { looks: 0, writes: 0, burns: 0 };
      const { app, agent, models } = await chainOfAgents({
        ...CHAIN_STEPS,
        store: new Proxy(store, {
          get: (target, key) => {
            const value: unknown = key === 'append' ? append : Reflect.get(target, key);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        }),
        world,
      });
      try {
        const { runId, pendingActions } = await agent.chat(
          { message: 'go', sessionId: SESSION },
          OWNER,
        );
        const callId = pendingActions[0]?.callId ?? '';
        const first = { callId, type: 'approve', input: { n: 1 } } as const;
        await expect(agent.resolve(runId, [first], OWNER)).rejects.toThrow();
        isAway = false;
        const done = await agent.resolve(runId, [{ ...answer, callId }], OWNER);
        expect(done).toMatchObject({ status: 'completed', message: 'Done.' });
        expect(world.burns).toBe(burnt ? 1 : 0);
        const said = models.archive.requests.at(-1)?.messages.flatMap(toolUsesOf) ?? [];
        if (burnt) expect(said.find(({ name }) => name === 'burn')?.input).toEqual(burnt);
        const settled = (await entriesOf(store, ARCHIVE)).filter(
          ({ type }) => type === 'call.settled',
        );
        expect(settled).toHaveLength(3);
      } finally {
        await app.close();
      }
    },
  );

  it('an approval for an agent that a deployment has removed is refused, and the conversation goes on', async () => {
    const store = memoryStore();
    const world = { looks: 0, writes: 0, burns: 0 };
    const before = await chainOfAgents({ ...CHAIN_STEPS, store, world });
    const { runId, sessionId, pendingActions } = await before.agent.chat({ message: 'go' }, OWNER);
    await before.app.close();
    const { app, agent, models } = await chainOfAgents({ store, world, options: { agents: [] } });
    try {
      const approval = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
      const answer = agent.resolve(runId, [approval], OWNER);
      await expect(answer).rejects.toMatchObject({ code: 'not_pending' });
      models.root.push('Welcome back.');
      const next = await agent.chat({ message: 'and now?', sessionId }, OWNER);
      expect(next).toMatchObject({ status: 'completed', message: 'Welcome back.' });
      expect(world.burns).toBe(0);
    } finally {
      await app.close();
    }
  });

  it('an agent whose lease outlives that of the asking one is stopped first', async () => {
    let wreck = await crash(1, 'after');
    const isActing = async (): Promise<boolean> =>
      (await entriesOf(wreck.store, ARCHIVE)).at(-1)?.type === 'call.started';
    for (let dieAt = 2; !(await isActing()); dieAt += 1) wreck = await crash(dieAt, 'after');
    const { store, world, records } = wreck;
    await store.acquire(ARCHIVE, 1_000);
    const requestStop = jest.spyOn(store, 'requestStop').mockImplementation((id) => {
      if (id === ARCHIVE) now += 1_001;
      return Promise.resolve();
    });
    const { app, agent, models } = await chainOfAgents({
      store,
      world,
      audit: (record) => records.push(record),
    });
    try {
      models.root.push('Welcome back.');
      const next = await agent.chat({ message: 'and now?', sessionId: SESSION }, OWNER);
      expect(next).toMatchObject({ status: 'completed', message: 'Welcome back.' });
      expect(requestStop).toHaveBeenCalled();
      await check(wreck, []);
    } finally {
      await app.close();
    }
  });

  it('there are no more moments to die at than are tried here', async () => {
    const wreck = await crash(Infinity, 'before');
    expect(wreck.world).toEqual({ looks: 1, writes: 1, burns: 1 });
    expect(wreck.told.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
    expect(wreck.operations).toBe(OPERATIONS);
  });

  const points = Array.from({ length: OPERATIONS }, (_, index) => index + 1).flatMap((dieAt) =>
    (['before', 'after'] as const).map((moment) => ({ dieAt, moment })),
  );

  it.each(points)(
    '$moment store operation $dieAt, whatever the user says next: each call has one result, each agent one question',
    async ({ dieAt, moment }) => {
      const wreck = await crash(dieAt, moment);
      expect(wreck.operations).toBeGreaterThanOrEqual(dieAt);
      const done = moment === 'after' ? dieAt : dieAt - 1;
      const isParked = done >= PARKS && done < TAKES_UP;
      expect(await isWaiting(wreck)).toBe(isParked);
      await recover(wreck, 'message');
      // Only a waiting run can be answered.
      if (isParked) await recover(await crash(dieAt, moment), 'answer');
    },
  );
});
