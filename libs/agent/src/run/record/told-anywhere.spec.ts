import type { AgentEvent } from '../../message';
import { defineTool } from '../../registry';
import { memoryStore, UNSTORED_NUMBERS } from '../../session';
import { Barrier, type ScriptedStep } from '../../testing';
import { allOf } from '../fixtures/all-of';
import { agentFixture, type AgentFixture } from '../fixtures/agent-fixture';
import { DyingStore } from '../fixtures/dying.store';

const OWNER = { principal: 'alice' };
const STEPS: readonly ScriptedStep[] = [
  { text: ['First ', 'I ', 'look.'], toolCalls: [{ id: 'look', name: 'look' }] },
  { text: ['Then ', 'I ', 'write.'], toolCalls: [{ id: 'write', name: 'write' }] },
  { text: ['All ', 'is ', 'done.'] },
];
const PERMISSIONS = { write: 'ask' } as const;
const LEASE_MS = 15_000;

const opened: AgentFixture[] = [];

/** A separate process: it shares only the store. */
async function process(store = memoryStore(), steps: readonly ScriptedStep[] = []) {
  const options = { leaseMs: LEASE_MS };
  const fixture = await agentFixture({ store, steps, permissions: PERMISSIONS, options });
  opened.push(fixture);
  fixture.registry.register(
    defineTool({ name: 'look', description: 'Look', readOnly: true, execute: () => 'seen' }),
  );
  fixture.registry.register(
    defineTool({
      name: 'write',
      description: 'Write',
      input: { type: 'object', properties: { what: { type: 'string' } } },
      execute: () => 'written',
    }),
  );
  return fixture;
}

const eventsOf = async ({ agent }: AgentFixture, runId: string, after?: number) =>
  allOf(await agent.events(runId, { ...OWNER, ...(after !== undefined && { after }) }));

const seqsOf = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);
const textOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');

/** Kills a process: its store ignores all later operations. */
async function kill(dying: DyingStore, gate: Barrier): Promise<void> {
  dying.die();
  gate.open();
  await jest.advanceTimersByTimeAsync(LEASE_MS + 1_000);
}

describe('the events of a run, in whichever process', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(async () => {
    for (const { module } of opened.splice(0)) await module.close().catch(() => undefined);
    jest.useRealTimers();
  });

  it('are those that were told where it went on after a wait', async () => {
    const store = memoryStore();
    const first = await process(store, STEPS.slice(0, 2));
    const begun = await first.agent.start({ message: 'go' }, OWNER);
    const before = await allOf(begun.events());
    const second = await process(store, STEPS.slice(2));
    const approval = [{ callId: 'write', type: 'approve' }] as const;
    const resumed = await second.agent.resume(begun.runId, approval, OWNER);
    const told = [...before, ...(await allOf(resumed.events()))];

    expect(seqsOf(told)).toEqual(told.map((_, index) => index + 1));
    const third = await process(store);
    for (const fixture of [first, second, third]) {
      for (let after = 0; after <= told.length; after += 1) {
        expect(await eventsOf(fixture, begun.runId, after)).toEqual(told.slice(after));
      }
    }
  });

  it('are one sequence for a reader who comes while it goes on elsewhere than it began', async () => {
    const store = memoryStore();
    const first = await process(store, STEPS.slice(0, 2));
    const begun = await first.agent.start({ message: 'go' }, OWNER);
    const before = await allOf(begun.events());
    const gate = new Barrier();
    const second = await process(store, [[{ type: 'text.delta', delta: 'All done.' }, gate]]);
    const approval = [{ callId: 'write', type: 'approve' }] as const;
    const resolved = second.agent.resolve(begun.runId, approval, OWNER);
    await gate.reached;
    const whileItRuns = [0, 3, before.length, before.length + 2].map((after) => ({
      after,
      events: eventsOf(second, begun.runId, after),
    }));
    gate.open();
    await resolved;
    const told = await eventsOf(second, begun.runId);
    for (const { after, events } of whileItRuns) expect(await events).toEqual(told.slice(after));
  });

  it('come within a second while it is told elsewhere, pieces of an answer included', async () => {
    const store = memoryStore();
    const gate = new Barrier();
    const said: ScriptedStep = [
      { type: 'text.delta', delta: 'Once ' },
      { type: 'text.delta', delta: 'upon ' },
      gate,
      { type: 'text.delta', delta: 'a time.' },
      { type: 'finish', reason: 'end_turn' },
    ];
    const first = await process(store, [said]);
    const begun = await first.agent.start({ message: 'go' }, OWNER);
    const live = allOf(begun.events());
    await gate.reached;
    const second = await process(store);
    const events = (await second.agent.events(begun.runId, OWNER))[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { type: 'run.started', seq: 1 } });
    const pieces = events.next();
    await jest.advanceTimersByTimeAsync(2_100);
    expect(await pieces).toMatchObject({ value: { type: 'step.started', step: 1, seq: 2 } });
    expect(await events.next()).toMatchObject({ value: { delta: 'Once ', seq: 3 } });
    expect(await events.next()).toMatchObject({ value: { delta: 'upon ', seq: 4 } });
    const rest = allOf({ [Symbol.asyncIterator]: () => events });
    gate.open();
    const told = await live;
    await jest.advanceTimersByTimeAsync(1_100);
    expect(await rest).toEqual(told.slice(4));
  });

  it('read only what is new while they follow', async () => {
    const inner = memoryStore();
    const gate = new Barrier();
    const first = await process(inner, [[gate, { type: 'finish', reason: 'end_turn' }]]);
    const { runId, finished } = await first.agent.start({ message: 'go' }, OWNER);
    await gate.reached;
    const reads: (number | undefined)[] = [];
    const store = new Proxy(inner, {
      get: (target, key) =>
        key === 'read'
          ? (...args: Parameters<typeof inner.read>) => {
              reads.push(args[1]);
              return inner.read(...args);
            }
          : (Reflect.get(target, key) as unknown),
    });
    const second = await process(store);
    const rest = eventsOf(second, runId);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(reads).toEqual([1]);
    gate.open();
    await finished;
    await jest.advanceTimersByTimeAsync(1_100);
    expect((await rest).at(-1)).toMatchObject({ type: 'run.finished' });
    expect(reads).toEqual([1, 3]);
  });

  it('end with what a waiting run waits for, and after that there are none', async () => {
    const store = memoryStore();
    const first = await process(store, STEPS);
    const { runId, pendingActions } = await first.agent.chat({ message: 'go' }, OWNER);
    for (const fixture of [first, await process(store)]) {
      const told = await eventsOf(fixture, runId);
      expect(told.at(-1)).toMatchObject({ status: 'requires_action', pendingActions });
      expect(await eventsOf(fixture, runId, told.length)).toEqual([]);
    }
  });

  it('tell a waiting run that waits on what came of the answers it has', async () => {
    const steps: readonly ScriptedStep[] = [
      {
        toolCalls: [
          { id: 'one', name: 'write' },
          { id: 'two', name: 'write' },
        ],
      },
      'Done.',
    ];
    const store = memoryStore();
    const first = await process(store, steps);
    const { runId } = await first.agent.chat({ message: 'go' }, OWNER);
    const before = await eventsOf(first, runId);
    const partial = await first.agent.resume(runId, [{ callId: 'one', type: 'reject' }], OWNER);
    const told = await allOf(partial.events());
    expect(told).toMatchObject([
      { type: 'tool.result', callId: 'one', isError: true, seq: before.length + 1 },
      { type: 'run.finished', status: 'requires_action', pendingActions: [{ callId: 'two' }] },
    ]);
    const edited = { callId: 'two', type: 'approve', input: { what: 'x' } } as const;
    const resumed = await first.agent.resume(runId, [edited], OWNER);
    const rest = await allOf(resumed.events());
    expect(rest[0]).toMatchObject({ type: 'tool.call', callId: 'two', input: { what: 'x' } });
    const second = await process(store);
    expect(await eventsOf(second, runId)).toEqual([...before, ...told, ...rest]);
  });

  it('end as failed where the process died, and with the same numbers once that is written', async () => {
    const inner = memoryStore();
    const dying = new DyingStore(inner, Infinity, 'before');
    const gate = new Barrier();
    const first = await process(dying.asStore(), [STEPS[0] ?? '', [gate]]);
    const begun = await first.agent.start({ message: 'go' }, OWNER);
    await gate.reached;
    await kill(dying, gate);
    const second = await process(inner, ['Welcome back.']);

    const told = await eventsOf(second, begun.runId);
    const last = told.at(-3)?.seq ?? 0;
    expect(told.slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted', seq: last + UNSTORED_NUMBERS + 1 },
      { type: 'run.finished', status: 'failed', seq: last + UNSTORED_NUMBERS + 2 },
    ]);
    expect(await eventsOf(second, begun.runId, last + 500)).toEqual(told.slice(-2));
    expect(await second.agent.run(begun.runId, OWNER)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', httpStatus: 503 },
    });
    expect(await second.sessions.list('alice')).toMatchObject([{ run: { status: 'failed' } }]);
    await second.agent.chat({ message: 'and now?', sessionId: begun.sessionId }, OWNER);
    expect(await eventsOf(second, begun.runId)).toEqual(told);
  });

  it('keep what a dead process had said of its last answer', async () => {
    const inner = memoryStore();
    const dying = new DyingStore(inner, Infinity, 'before');
    const gate = new Barrier();
    const said: ScriptedStep = [
      { type: 'reasoning.delta', delta: 'Hm. ' },
      { type: 'text.delta', delta: 'Once ' },
      { type: 'text.delta', delta: 'upon ' },
      { type: 'tool_use.delta', id: 'look', name: 'look', delta: '{"half' },
      gate,
    ];
    const first = await process(dying.asStore(), [said]);
    const begun = await first.agent.start({ message: 'go' }, OWNER);
    const live: AgentEvent[] = [];
    void allOf(begun.events()).then((events) => live.push(...events));
    await gate.reached;
    await jest.advanceTimersByTimeAsync(1_000);
    await kill(dying, gate);
    const second = await process(inner, ['Welcome back.']);

    const told = await eventsOf(second, begun.runId);
    expect(told.slice(0, 6)).toEqual(live.slice(0, 6));
    expect(textOf(told)).toBe('Once upon ');
    expect(seqsOf(told).slice(-2)).toEqual([6 + UNSTORED_NUMBERS + 1, 6 + UNSTORED_NUMBERS + 2]);
    expect(await second.agent.run(begun.runId, OWNER)).toMatchObject({ message: 'Once upon ' });
    await second.agent.chat({ message: 'and now?', sessionId: begun.sessionId }, OWNER);
    expect(await eventsOf(second, begun.runId)).toEqual(told);
    const history = await second.sessions.transcript(begun.sessionId, { principal: 'alice' });
    expect(history[1]).toMatchObject({
      role: 'assistant',
      partial: true,
      content: [
        { type: 'reasoning', text: 'Hm. ' },
        { type: 'text', text: 'Once upon ' },
      ],
    });
  });

  it('mask elsewhere what they masked here, though the tool is the run’s own', async () => {
    const store = memoryStore();
    const pin = { type: 'string', writeOnly: true };
    const own = defineTool({
      name: 'unlock',
      description: 'Unlock',
      input: { type: 'object', properties: { pin, times: { type: 'integer', default: 1 } } },
      permission: () => 'ask',
      execute: () => 'open',
    });
    const call = { id: 'unlock', name: 'unlock' };
    const asks: ScriptedStep = [
      { type: 'tool_use.delta', ...call, delta: '{"pin":"1234"}' },
      { type: 'tool_use', ...call, input: { pin: '1234' } },
      { type: 'finish', reason: 'tool_use' },
    ];
    const first = await process(store, [asks, 'Done.']);
    const options = { ...OWNER, tools: [own] };
    const begun = await first.agent.start({ message: 'go' }, options);
    const before = await allOf(begun.events());
    const edited = { callId: 'unlock', type: 'approve', input: { pin: '5678' } } as const;
    const resumed = await first.agent.resume(begun.runId, [edited], options);
    const told = [...before, ...(await allOf(resumed.events()))];
    expect(JSON.stringify(told)).not.toMatch(/1234|5678/);
    expect(told).toContainEqual(expect.objectContaining({ type: 'tool.call', callId: 'unlock' }));
    expect(await eventsOf(await process(store), begun.runId)).toEqual(told);
  });

  it('say why a run failed', async () => {
    const store = memoryStore();
    const first = await process(store, [new Error('boom')]);
    const { runId, error } = await first.agent.chat({ message: 'go' }, OWNER);
    const second = await process(store);
    expect(await second.agent.run(runId, OWNER)).toMatchObject({ status: 'failed', error });
    expect(await eventsOf(second, runId)).toEqual(await eventsOf(first, runId));
  });

  it('are read however many an answer has', async () => {
    const store = memoryStore();
    const { agent } = await process(store, ['Long.']);
    const { runId } = await agent.chat({ message: 'go' }, OWNER);
    const length = 200_000;
    const text = { type: 'text', text: 'x'.repeat(length) } as const;
    const read = store.read.bind(store);
    store.read = async (...of) =>
      (await read(...of)).map(({ entry, ...stored }) => {
        if (entry.type !== 'step.finished') return { ...stored, entry };
        const message = { role: 'assistant', content: [text] } as const;
        // Each of one character.
        const pieces = [{ of: 'text', lengths: 'B'.repeat(length) }] as const;
        return { ...stored, entry: { ...entry, message, pieces } };
      });
    const told = await eventsOf(await process(store), runId);
    expect(told.filter(({ type }) => type === 'text.delta')).toHaveLength(length);
  });

  it('are no more than may be told before they are stored', async () => {
    const store = memoryStore();
    // Renewals hang, so that no draft is stored before the answer ends.
    store.renew = () => new Promise(() => undefined);
    const pieces = Array.from({ length: 3 * UNSTORED_NUMBERS }, (_, index) => `${index} `);
    const first = await process(store, [{ text: pieces }]);
    const begun = await first.agent.start({ message: 'go' }, OWNER);
    const told = await allOf(begun.events());
    expect(textOf(told)).toBe(pieces.join(''));
    expect(told.length).toBeLessThan(UNSTORED_NUMBERS);
    expect(seqsOf(told)).toEqual(told.map((_, index) => index + 1));
    expect(await eventsOf(await process(store), begun.runId)).toEqual(told);
  });
});
