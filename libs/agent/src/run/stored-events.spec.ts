import type { AgentEvent } from '../message';
import { defineTool } from '../registry';
import { memoryStore } from '../session';
import { Barrier, type ScriptedStep } from '../testing';
import { agentFixture, type AgentFixture } from './fixtures/agent-fixture';
import { DyingStore } from './fixtures/dying.store';

const OWNER = { principal: 'alice' };
const STEPS: readonly ScriptedStep[] = [
  { text: ['First ', 'I ', 'look.'], toolCalls: [{ id: 'look', name: 'look' }] },
  { text: ['Then ', 'I ', 'write.'], toolCalls: [{ id: 'write', name: 'write' }] },
  { text: ['All ', 'is ', 'done.'] },
];
const TEXTS = ['First I look.', 'Then I write.', 'All is done.'];
const PERMISSIONS = { write: 'ask' } as const;

const opened: AgentFixture[] = [];

/** A process of its own, as far as it shares nothing but the store. */
async function process(store = memoryStore(), steps: readonly ScriptedStep[] = []) {
  const fixture = await agentFixture({ store, steps, permissions: PERMISSIONS });
  opened.push(fixture);
  fixture.registry.register(
    defineTool({ name: 'look', description: 'Look', readOnly: true, execute: () => 'seen' }),
  );
  fixture.registry.register(
    defineTool({ name: 'write', description: 'Write', execute: () => 'written' }),
  );
  return fixture;
}

async function eventsOf(
  { agent }: AgentFixture,
  runId: string,
  after?: number,
): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of await agent.events(runId, { ...OWNER, after })) events.push(event);
  return events;
}

const withoutDeltas = (events: readonly AgentEvent[]) =>
  events
    .filter(({ type }) => !type.endsWith('.delta'))
    .map((event) => ({ ...event, seq: undefined }));
const seqsOf = (events: readonly AgentEvent[]) => events.map(({ seq }) => seq);
const textsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : []));

describe('the events of a run that its process no longer holds', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(async () => {
    for (const { module } of opened.splice(0)) await module.close().catch(() => undefined);
    jest.useRealTimers();
  });

  it('begin with the first where another process went on with it', async () => {
    const store = memoryStore();
    const first = await process(store, STEPS.slice(0, 2));
    const { runId } = await first.agent.chat({ message: 'go' }, OWNER);
    const parked = await eventsOf(first, runId);
    const gate = new Barrier();
    const last: ScriptedStep = [{ type: 'text.delta', delta: 'All is done.' }, gate];
    const second = await process(store, [last]);
    const approval = [{ callId: 'write', type: 'approve' }] as const;
    const resolved = second.agent.resolve(runId, approval, OWNER);
    await gate.reached;
    const whileItRuns = eventsOf(second, runId);
    gate.open();
    await resolved;

    const all = await eventsOf(second, runId);
    expect(await whileItRuns).toEqual(all);
    expect(
      withoutDeltas(
        all.slice(
          0,
          all.findIndex(({ seq }) => seq > parked.length),
        ),
      ),
    ).toEqual(withoutDeltas(parked));
    const next = await eventsOf(second, runId, parked.length);
    expect(next[0]?.seq).toBe(parked.length + 1);
    expect(all.slice(-next.length)).toEqual(next);
    const rest = await eventsOf(second, runId, parked.length - 1);
    expect(seqsOf(rest)).toEqual([parked.length, ...seqsOf(next)]);
  });

  it('tell what was told, whatever a reader had heard before', async () => {
    const store = memoryStore();
    const first = await process(store, STEPS);
    const { runId } = await first.agent.chat({ message: 'go' }, OWNER);
    await first.agent.resolve(runId, [{ callId: 'write', type: 'approve' }], OWNER);
    const told = await eventsOf(first, runId);
    const second = await process(store);

    const all = await eventsOf(second, runId);
    expect(withoutDeltas(all)).toEqual(withoutDeltas(told));
    expect(textsOf(all)).toEqual(TEXTS);
    for (let after = 0; after < told.length; after += 1) {
      const rest = await eventsOf(second, runId, after);
      expect(rest.at(-1)).toEqual(told.at(-1));
      expect(seqsOf(rest).every((seq) => seq > after)).toBe(true);
      expect(seqsOf(rest)).toEqual([...new Set(seqsOf(rest))].sort((a, b) => a - b));
      // Nothing is left out but texts that may have been heard in part, and nothing is said twice.
      expect(withoutDeltas(rest)).toEqual(expect.arrayContaining(withoutDeltas(told.slice(after))));
      const heard = textsOf(told.slice(0, after)).join('');
      for (const text of textsOf(rest)) expect(heard).not.toContain(text.split(' ')[0]);
    }
    expect(await eventsOf(second, runId, told.length)).toEqual([]);
  });

  it('tell what a waiting run waits for', async () => {
    const store = memoryStore();
    const first = await process(store, STEPS);
    const { runId, pendingActions } = await first.agent.chat({ message: 'go' }, OWNER);
    const told = await eventsOf(first, runId);
    const second = await process(store);

    expect((await eventsOf(second, runId)).slice(-2)).toEqual(told.slice(-2));
    expect(await eventsOf(second, runId, told.length - 1)).toEqual(told.slice(-1));
    expect(await second.agent.run(runId, OWNER)).toMatchObject({
      status: 'requires_action',
      message: 'Then I write.',
      pendingActions,
    });
  });

  it('end as failed where the process died, however much of them was heard', async () => {
    const inner = memoryStore();
    const { id: sessionId } = await inner.create({ id: 'ses_1', owner: 'alice' });
    const first = await process(new DyingStore(inner, 8, 'before').asStore(), STEPS);
    const { runId } = await first.agent.start({ message: 'go', sessionId }, OWNER);
    await first.agent.run(runId, OWNER).catch(() => undefined);
    jest.setSystemTime(Date.now() + 60_000);
    const second = await process(inner);

    const ending = [
      { type: 'error', code: 'interrupted' },
      { type: 'run.finished', status: 'failed', stopReason: 'error' },
    ];
    const all = await eventsOf(second, runId);
    expect(all.slice(-2)).toMatchObject(ending);
    expect(seqsOf(all)).toEqual(all.map((_, index) => index + 1));
    const rest = await eventsOf(second, runId, 1_000);
    expect(rest).toMatchObject(ending);
    expect(seqsOf(rest)).toEqual([1_001, 1_002]);
    expect(await second.agent.run(runId, OWNER)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', httpStatus: 503 },
    });
  });

  it('say why a run failed', async () => {
    const store = memoryStore();
    const first = await process(store, [new Error('boom')]);
    const { runId, error } = await first.agent.chat({ message: 'go' }, OWNER);
    const second = await process(store);

    expect(await second.agent.run(runId, OWNER)).toMatchObject({ status: 'failed', error });
    expect(await eventsOf(second, runId)).toEqual(await eventsOf(first, runId));
  });

  it('come once another process has told them', async () => {
    const store = memoryStore();
    const gate = new Barrier();
    const first = await process(store, [
      [gate, { type: 'text.delta', delta: 'Done.' }, { type: 'finish', reason: 'end_turn' }],
    ]);
    const { runId, finished } = await first.agent.start({ message: 'go' }, OWNER);
    await gate.reached;
    const second = await process(store);
    const events = await second.agent.events(runId, OWNER);
    const iterator = events[Symbol.asyncIterator]();
    const next = iterator.next();
    gate.open();
    await finished;
    await jest.advanceTimersByTimeAsync(1_000);

    expect(await next).toMatchObject({ value: { type: 'run.started', seq: 1 } });
    const rest: AgentEvent[] = [];
    for await (const event of { [Symbol.asyncIterator]: () => iterator }) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ type: 'run.finished', message: 'Done.' });
  });
});
