import type { AuditRecord } from '../../invocation';
import { NO_USAGE, toolUsesOf, type Message, type ToolUseBlock } from '../../message';
import { defineTool } from '../../registry';
import {
  type AnnouncedCall,
  memoryStore,
  type RecordedEntry,
  type SessionStore,
} from '../../session';
import type { ScriptedStep } from '../../testing';
import { agentFixture, type AgentFixture } from '../fixtures/agent-fixture';
import { DyingStore } from '../fixtures/dying.store';

const OWNER = { principal: 'alice' };
const LEASE_MS = 15_000;
/** The store operations of a run of `TURN`, from finding its session to releasing its lease. */
const OPERATIONS = 9;

const TURN: readonly ScriptedStep[] = [
  {
    text: 'First I look.',
    toolCalls: [
      { id: 'look', name: 'look' },
      { id: 'write', name: 'write' },
      { id: 'put', name: 'put' },
    ],
  },
  'All done.',
];

/** The recorded effects of the tools in all processes. */
interface World {
  looks: number;
  writes: number;
  puts: number;
}

function registerTools({ registry }: AgentFixture, world: World): void {
  const act = (name: keyof World) => () => {
    world[name] += 1;
    return `${name}: ${world[name]}`;
  };
  registry.register(
    defineTool({ name: 'look', description: 'Look', readOnly: true, execute: act('looks') }),
  );
  registry.register(defineTool({ name: 'write', description: 'Write', execute: act('writes') }));
  registry.register(
    defineTool({ name: 'put', description: 'Put', idempotent: true, execute: act('puts') }),
  );
}

/** A model's answer with these calls. */
function stepOf(
  runId: string,
  content: readonly ToolUseBlock[],
  calls: readonly AnnouncedCall[] = [],
): RecordedEntry {
  const message: Message = { role: 'assistant', content };
  const step = { step: 1, usage: NO_USAGE, finishReason: 'tool_use' } as const;
  return { v: 1, seq: 2, type: 'step.finished', runId, message, calls, ...step };
}

/** Calls whose start need not be stored, by their tools' names. */
const REPEATABLE = ['gone', 'put', 'write', 'reset_equipped_tools', 'own'];

/** The problems that a provider would have with a history. */
function problemsOf(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  messages.forEach((message, index) => {
    const asked = toolUsesOf(message).map(({ id }) => id);
    const answered = (messages[index + 1]?.content ?? []).flatMap((block) =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    if (asked.length > 0 && asked.join() !== answered.join()) {
      problems.push(`calls ${asked.join()} are answered by ${answered.join() || 'nothing'}`);
    }
    if (message.content.length === 0) problems.push(`message ${index} is empty`);
  });
  return problems;
}

describe('after the process died', () => {
  let now = performance.now();
  let clock: jest.SpyInstance;
  beforeEach(() => {
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    clock.mockRestore();
  });

  const crash = async (
    inner: SessionStore,
    world: World,
    dieAt: number,
    moment: 'before' | 'after',
  ): Promise<{ readonly sessionId: string; readonly operations: number }> => {
    const { id: sessionId } = await inner.create({ id: `ses_${dieAt}_${moment}`, owner: 'alice' });
    const dying = new DyingStore(inner, dieAt, moment);
    const fixture = await agentFixture({
      steps: TURN,
      store: dying.asStore(),
      options: { leaseMs: LEASE_MS },
    });
    registerTools(fixture, world);
    await fixture.agent.chat({ message: 'go', sessionId }, OWNER).catch(() => undefined);
    const { operations } = dying;
    await fixture.module.close().catch(() => undefined);
    now += LEASE_MS + 1;
    return { sessionId, operations };
  };

  const points = Array.from({ length: OPERATIONS }, (_, index) => index + 1).flatMap((dieAt) =>
    (['before', 'after'] as const).map((moment) => ({ dieAt, moment })),
  );

  it('there are no more moments to die at than are tried here', async () => {
    const world: World = { looks: 0, writes: 0, puts: 0 };
    const { operations } = await crash(memoryStore(), world, Infinity, 'before');
    expect(operations).toBe(OPERATIONS);
    expect(world).toEqual({ looks: 1, writes: 1, puts: 1 });
  });

  it.each(points)(
    '$moment store operation $dieAt: the next message works, and no write ran twice',
    async ({ dieAt, moment }) => {
      const store = memoryStore();
      const world: World = { looks: 0, writes: 0, puts: 0 };
      const { sessionId, operations } = await crash(store, world, dieAt, moment);
      expect(operations).toBeGreaterThanOrEqual(dieAt);
      const before = await store.read(sessionId);
      const fixture = await agentFixture({ steps: ['Welcome back.'], store });
      registerTools(fixture, world);
      const next = await fixture.agent.chat({ message: 'and now?', sessionId }, OWNER);
      expect(next).toMatchObject({ status: 'completed', message: 'Welcome back.' });
      expect(world.writes).toBeLessThanOrEqual(1);
      const history = fixture.model.requests[0]?.messages ?? [];
      expect(problemsOf(history)).toEqual([]);
      // Stored entries are still there.
      const entries = await store.read(sessionId);
      expect(entries.slice(0, before.length)).toEqual(before);
      expect(JSON.stringify(history).includes('"go"')).toBe(
        before.some(({ entry }) => entry.type === 'run.started'),
      );
      const unfinished = entries.filter(({ entry }) => entry.type === 'run.started').length;
      const finished = entries.filter(({ entry }) => entry.type === 'run.finished').length;
      expect(finished).toBe(unfinished);
    },
  );

  it('tells the model that the outcome of an interrupted write is unknown', async () => {
    const store = memoryStore();
    const world: World = { looks: 0, writes: 0, puts: 0 };
    const { id: sessionId } = await store.create({ id: 'ses_write', owner: 'alice' });
    const lease = await store.acquire(sessionId, LEASE_MS);
    if (lease === undefined) throw new Error('A new session is held.');
    const runId = 'run_dead';
    const use = (id: string) => ({ type: 'tool_use', id, name: id, input: {} }) as const;
    await store.append(sessionId, {
      lease,
      expectedVersion: 0,
      entries: [
        {
          v: 1,
          seq: 1,
          type: 'run.started',
          runId,
          modelName: 'scripted',
          startedAt: '2026-01-01T00:00:00Z',
        },
        {
          v: 1,
          type: 'message',
          runId,
          message: { role: 'user', content: [{ type: 'text', text: 'go' }] },
        },
        stepOf(runId, [use('look'), use('write'), use('put')]),
        { v: 1, type: 'call.started', runId, callId: 'write' },
      ],
    });
    now += LEASE_MS + 1;
    const records: AuditRecord[] = [];
    const audit = (record: AuditRecord) => records.push(record);
    const fixture = await agentFixture({ steps: ['I see.'], store, audit });
    registerTools(fixture, world);
    expect(await fixture.agent.run(runId, OWNER)).toMatchObject({ status: 'failed' });
    await fixture.agent.chat({ message: 'what happened?', sessionId }, OWNER);
    expect(world).toEqual({ looks: 1, writes: 0, puts: 1 });
    const results = fixture.model.requests[0]?.messages[2]?.content ?? [];
    expect(results).toMatchObject([
      { tool_use_id: 'look', content: 'looks: 1', is_error: false },
      { tool_use_id: 'write', content: expect.stringContaining('unknown'), is_error: true },
      { tool_use_id: 'put', content: 'puts: 1', is_error: false },
    ]);
    expect(records).toMatchObject([
      { callId: 'look', runId, outcome: 'executed' },
      { callId: 'put', runId, outcome: 'executed' },
      { callId: 'write', runId, outcome: 'interrupted', errorCode: 'outcome_unknown' },
    ]);
  });

  describe('in the middle of an approved call', () => {
    const approvedAndStarted = async (store: SessionStore): Promise<string> => {
      const world: World = { looks: 0, writes: 0, puts: 0 };
      const parking = await agentFixture({ steps: TURN, store, permissions: { write: 'ask' } });
      registerTools(parking, world);
      const { runId, sessionId } = await parking.agent.chat({ message: 'go' }, OWNER);
      await parking.module.close();
      const lease = await store.acquire(sessionId, LEASE_MS);
      if (lease === undefined) throw new Error('The session of a waiting run is held.');
      await store.append(sessionId, {
        lease,
        expectedVersion: (await store.find(sessionId))?.version ?? 0,
        entries: [
          { v: 1, type: 'action.answered', runId, callId: 'write', answer: { type: 'approve' } },
          { v: 1, type: 'run.resumed', runId },
          { v: 1, type: 'call.started', runId, callId: 'write' },
        ],
      });
      now += LEASE_MS + 1;
      return sessionId;
    };

    it('the call is on record as approved', async () => {
      const store = memoryStore();
      const sessionId = await approvedAndStarted(store);
      const records: AuditRecord[] = [];
      const audit = (record: AuditRecord) => records.push(record);
      const next = await agentFixture({ steps: ['I see.'], store, audit });
      await next.agent.chat({ message: 'and now?', sessionId }, OWNER);
      expect(records).toMatchObject([
        { callId: 'write', errorCode: 'outcome_unknown', approval: 'approved' },
      ]);
    });

    it('the call is not repeated by a release whose tool may be repeated', async () => {
      const store = memoryStore();
      const sessionId = await approvedAndStarted(store);
      const next = await agentFixture({ steps: ['I see.'], store });
      const execute = jest.fn(() => 'wiped');
      const wipe = { name: 'write', description: 'Wipe', idempotent: true, execute };
      next.registry.register(defineTool(wipe));
      await next.agent.chat({ message: 'and now?', sessionId }, OWNER);
      expect(execute).not.toHaveBeenCalled();
      expect(JSON.stringify(next.model.requests)).toContain('Its outcome is unknown');
    });
  });

  it('a call has run as the journal tells, whatever its tool is now', async () => {
    const store = memoryStore();
    const { id: sessionId } = await store.create({ id: 'ses_gone', owner: 'alice' });
    const lease = await store.acquire(sessionId, LEASE_MS);
    if (lease === undefined) throw new Error('A new session is held.');
    const runId = 'run_dead';
    const use = (name: string) => ({ type: 'tool_use', id: name, name, input: {} }) as const;
    await store.append(sessionId, {
      lease,
      expectedVersion: 0,
      entries: [
        {
          v: 1,
          seq: 1,
          type: 'run.started',
          runId,
          modelName: 'scripted',
          startedAt: '2026-01-01T00:00:00Z',
        },
        stepOf(runId, [...REPEATABLE, 'asked', 'lost', 'never'].map(use), [
          ...REPEATABLE.map(
            (callId) => ({ callId, kind: 'function', isRepeatable: true }) as const,
          ),
          { callId: 'asked', kind: 'function', awaits: 'approval', isRepeatable: true },
        ]),
      ],
    });
    now += LEASE_MS + 1;
    const permissions = { put: 'ask' } as const;
    const fixture = await agentFixture({ steps: ['I see.'], store, permissions });
    const world: World = { looks: 0, writes: 0, puts: 0 };
    registerTools(fixture, world);
    const never = { name: 'never', description: 'Never', execute: jest.fn() };
    fixture.registry.register(defineTool(never));
    fixture.registry.createGroup({ name: 'more', description: 'More', active: false });
    fixture.registry.updateGroup('more', { selectable: true });
    const own = defineTool({ name: 'own', description: 'Own', readOnly: true, execute: () => 'x' });
    const options = { ...OWNER, tools: [own] };
    await fixture.agent.chat({ message: 'and now?', sessionId }, options);
    const results = fixture.model.requests[0]?.messages[1]?.content ?? [];
    expect(results).toMatchObject([
      { tool_use_id: 'gone', content: expect.stringContaining('outcome is unknown') },
      // It asks now.
      { tool_use_id: 'put', content: expect.stringContaining('outcome is unknown') },
      // It must not be repeated any more.
      { tool_use_id: 'write', content: expect.stringContaining('outcome is unknown') },
      { tool_use_id: 'reset_equipped_tools', content: expect.stringContaining('to_activate') },
      { tool_use_id: 'own', content: 'x', is_error: false },
      // It asked first, and was not approved.
      { tool_use_id: 'asked', content: expect.stringContaining('It was not run.') },
      // Their start would be stored.
      { tool_use_id: 'lost', content: expect.stringContaining('It was not run.') },
      { tool_use_id: 'never', content: expect.stringContaining('It was not run.') },
    ]);
    expect(world).toEqual({ looks: 0, writes: 0, puts: 0 });
    expect(never.execute).not.toHaveBeenCalled();
  });

  it('an approval given before a restart runs the call after it, once', async () => {
    const store = memoryStore();
    const world: World = { looks: 0, writes: 0, puts: 0 };
    const first = await agentFixture({ steps: TURN, store, permissions: { write: 'ask' } });
    registerTools(first, world);
    const parked = await first.agent.chat({ message: 'go' }, OWNER);
    expect(parked.status).toBe('requires_action');
    await first.module.close();
    const second = await agentFixture({
      steps: ['All done.'],
      store,
      permissions: { write: 'ask' },
    });
    registerTools(second, world);
    const waiting = await second.agent.run(parked.runId, OWNER);
    expect(waiting).toMatchObject({
      status: 'requires_action',
      pendingActions: [{ callId: 'write' }],
    });
    const done = await second.agent.resolve(
      parked.runId,
      [{ callId: 'write', type: 'approve' }],
      OWNER,
    );
    expect(done).toMatchObject({ runId: parked.runId, status: 'completed' });
    expect(world.writes).toBe(1);
    expect(done.toolCalls.map(({ output }) => output)).toEqual([
      'looks: 1',
      'writes: 1',
      'puts: 1',
    ]);
  });
});
