import { setTimeout as delay } from 'node:timers/promises';
import type { AuditRecord } from '../../invocation';
import type { AgentEvent } from '../../message';
import type { ModelRequest } from '../../model';
import { defineTool, ToolRegistry } from '../../registry';
import type { AgentTelemetry } from '../../telemetry';
import { Barrier, type ScriptedOutcome } from '../../testing';
import { allOf } from '../fixtures/all-of';
import { DyingStore } from '../fixtures/dying.store';
import { WorkerFleet } from '../fixtures/worker-fleet';
import { WorkerProcess } from './worker.process';

const ALICE = { principal: 'alice' };
const LEASE_MS = 15_000;
/** The store operations of a worker for a run of `answer`, from its lease to its release. */
const OPERATIONS = 10;

const CALLS = ['look', 'write', 'put'].map((name) => ({ id: name, name }));

/** The model's answer, in any worker. */
function answer({ messages }: ModelRequest): ScriptedOutcome {
  const isAnswered = messages.at(-1)?.content.some(({ type }) => type === 'tool_result');
  return isAnswered ? 'All done.' : { text: 'First I look.', toolCalls: CALLS };
}

describe('after a worker died', () => {
  let now = performance.now();
  let fleet: WorkerFleet;
  beforeEach(() => {
    fleet = new WorkerFleet();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(async () => {
    await fleet.close();
    jest.restoreAllMocks();
  });

  const dying = async (dieAt: number, moment: 'before' | 'after') => {
    const web = await fleet.start('web');
    const store = new DyingStore(fleet.store, dieAt, moment);
    const run = await web.agent.start({ message: 'go' }, ALICE);
    const first = await fleet.start('worker', {
      store: store.asStore(),
      steps: Array(9).fill(answer) as [],
    });
    const operations = (): number => store.operations;
    const isOver = async () =>
      store.hasDied || (await fleet.store.queuedRuns?.({ limit: 1 }))?.length === 0;
    while (!(await isOver())) await delay(2);
    store.die();
    await first.runs.close();
    now += LEASE_MS + 1;
    return { web, run, operations };
  };

  it('there are no more moments to die at than are tried here', async () => {
    const { run, operations } = await dying(Infinity, 'before');
    expect(await run.finished).toMatchObject({ status: 'completed' });
    expect(operations()).toBeLessThanOrEqual(OPERATIONS);
    expect(fleet.world).toEqual({ looks: 1, writes: 1, puts: 1 });
  });

  const points = Array.from({ length: OPERATIONS }, (_, index) => index + 1).flatMap((dieAt) =>
    (['before', 'after'] as const).map((moment) => ({ dieAt, moment })),
  );

  it.each(points)(
    '$moment store operation $dieAt, another one ends the same run, and no write ran twice',
    async ({ dieAt, moment }) => {
      const { web, run } = await dying(dieAt, moment);
      await fleet.start('worker', { steps: Array(9).fill(answer) as [] });
      const result = await run.finished;
      expect(result).toMatchObject({ status: 'completed', message: 'All done.' });
      expect(result.toolCalls.map(({ name }) => name)).toEqual(['look', 'write', 'put']);
      expect(fleet.world.writes).toBeLessThanOrEqual(1);
      const [, write] = result.toolCalls;
      if (write?.isError) expect(write.output).toContain('outcome is unknown');
      else expect(fleet.world.writes).toBe(1);
      const entries = (await fleet.store.read(run.sessionId)).map(({ entry }) => entry);
      const count = (type: string): number => entries.filter((entry) => entry.type === type).length;
      expect([count('run.started'), count('run.finished'), count('call.settled')]).toEqual([
        1, 1, 3,
      ]);
      const told = await allOf(await web.agent.events(run.runId, ALICE));
      const numbers = told.map(({ seq }) => seq);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      expect(shown(told)).toBe('First I look.All done.');
      expect(await fleet.store.queuedRuns?.({ limit: 1 })).toEqual([]);
      // The job ends shortly after its run.
      while (fleet.queue.jobs.length > 0) await delay(5);
    },
  );

  it('in a call that must not be repeated, a release that may repeat it does not', async () => {
    const web = await fleet.start('web');
    const steps = [{ toolCalls: [{ name: 'send' }] }];
    const first = await fleet.startMortal('worker', { steps });
    const second = await fleet.start('worker', { steps: ['Well.'] });
    const sending = new Barrier();
    const send = { name: 'send', description: 'Send', execute: () => sending.pass() };
    first.app.get(ToolRegistry).register(defineTool(send));
    const execute = jest.fn(() => 'sent');
    second.app.get(ToolRegistry).register(defineTool({ ...send, idempotent: true, execute }));
    const run = await web.agent.start({ message: 'go' }, ALICE);
    await sending.reached;
    await first.die();
    now += LEASE_MS + 1;
    const { toolCalls } = await run.finished;
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
    expect(execute).not.toHaveBeenCalled();
  });

  /** A worker in a call that may be repeated. */
  const setting = async () => {
    const web = await fleet.start('web');
    const steps = [{ toolCalls: [{ name: 'set' }] }];
    const worker = await fleet.startMortal('worker', { steps });
    const entered = new Barrier();
    const set = { name: 'set', description: 'Set', execute: () => entered.pass() };
    worker.app.get(ToolRegistry).register(defineTool({ ...set, idempotent: true }));
    const run = await web.agent.start({ message: 'go' }, ALICE);
    await entered.reached;
    return { web, worker, run };
  };

  it('in a call that may be repeated, a release that must not repeat it does not', async () => {
    const { worker, run } = await setting();
    const next = await fleet.start('worker', { steps: ['Well.'] });
    const execute = jest.fn(() => 'set');
    next.app.get(ToolRegistry).register(defineTool({ name: 'set', description: 'Set', execute }));
    await worker.die();
    now += LEASE_MS + 1;
    const { toolCalls } = await run.finished;
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('in a call that may be repeated, a release that asks for it first does not ask', async () => {
    const { worker, run } = await setting();
    const permissions = { set: 'ask' } as const;
    const next = await fleet.start('worker', { steps: ['Well.'], permissions });
    const execute = jest.fn(() => 'set');
    const set = { name: 'set', description: 'Set', idempotent: true, execute };
    next.app.get(ToolRegistry).register(defineTool(set));
    await worker.die();
    now += LEASE_MS + 1;
    expect(await run.finished).toMatchObject({
      status: 'completed',
      toolCalls: [{ output: expect.stringContaining('is unknown') as string }],
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it('in a call whose tool is gone in the next release, it may have run', async () => {
    const { worker, run } = await setting();
    await worker.die();
    now += LEASE_MS + 1;
    await fleet.start('worker', { steps: ['Well.'] });
    const { toolCalls } = await run.finished;
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
  });

  /** Queues the dead worker's run again, because it was queued long ago. */
  const sweep = async (): Promise<void> => {
    const { app } = await fleet.start('web', { limits: { queueTimeoutMs: 1 } });
    await app.get(WorkerProcess).sweep();
  };

  it('in such a call, it may have run if a sweep queued the run again', async () => {
    const reasons: unknown[] = [];
    const telemetry: AgentTelemetry = {
      run: ({ reason }, go) => (reasons.push(reason), go()),
    };
    const { worker, run } = await setting();
    await worker.die();
    now += LEASE_MS + 1;
    await sweep();
    await fleet.start('worker', { telemetry, steps: ['Well.'] });
    const { toolCalls } = await run.finished;
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
    expect(reasons).toEqual(['recovery']);
  });

  it('in a call that must not be repeated, it may have run if the run is cancelled after a sweep', async () => {
    const web = await fleet.start('web');
    const steps = [{ toolCalls: [{ name: 'send' }] }];
    const first = await fleet.startMortal('worker', { steps });
    const sending = new Barrier();
    const send = { name: 'send', description: 'Send', execute: () => sending.pass() };
    first.app.get(ToolRegistry).register(defineTool(send));
    const { runId } = await web.agent.start({ message: 'go' }, ALICE);
    await sending.reached;
    await first.die();
    now += LEASE_MS + 1;
    await sweep();
    const { status, toolCalls } = await web.agent.cancel(runId, ALICE);
    expect(status).toBe('cancelled');
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
  });

  it('in a call that may be repeated, it may have run if the run is cancelled', async () => {
    const { web, worker, run } = await setting();
    await worker.die();
    now += LEASE_MS + 1;
    const { toolCalls } = await web.agent.cancel(run.runId, ALICE);
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
  });

  /** A worker in a call beside one that waits for approval. */
  const sendingBesideAsking = async () => {
    const web = await fleet.start('web');
    const worker = await fleet.startMortal('worker', {
      permissions: { show: 'ask' },
      steps: [{ toolCalls: [{ name: 'show' }, { name: 'send' }] }],
    });
    const sending = new Barrier();
    const registry = worker.app.get(ToolRegistry);
    const show = { name: 'show', description: 'Show', readOnly: true, execute: () => 'shown' };
    registry.register(defineTool(show));
    const send = { name: 'send', description: 'Send', execute: () => sending.pass() };
    registry.register(defineTool(send));
    const run = await web.agent.start({ message: 'go' }, ALICE);
    await sending.reached;
    await worker.die();
    now += LEASE_MS + 1;
    return { web, run };
  };

  it('beside a call that waits for approval, that one was not run if its tool is gone', async () => {
    const { run } = await sendingBesideAsking();
    await fleet.start('worker', { steps: ['Well.'] });
    const { toolCalls } = await run.finished;
    expect(toolCalls).toMatchObject([
      { output: expect.stringContaining('no tool') as string },
      { output: expect.stringContaining('is unknown') as string },
    ]);
  });

  it('beside a call that waits for approval, that one was not run if the run is cancelled', async () => {
    const { web, run } = await sendingBesideAsking();
    const { toolCalls } = await web.agent.cancel(run.runId, ALICE);
    expect(toolCalls).toMatchObject([
      { output: expect.stringContaining('not run') as string },
      { output: expect.stringContaining('is unknown') as string },
    ]);
  });

  it('or returned the run in such a call, it may have run if the run is cancelled', async () => {
    const { web, worker, run } = await setting();
    await worker.app.close();
    const { toolCalls } = await web.agent.cancel(run.runId, ALICE);
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
  });

  it('or returned the run in such a call, it may have run if its tool is gone', async () => {
    const { worker, run } = await setting();
    await worker.app.close();
    await fleet.start('worker', { steps: ['Well.'] });
    const { toolCalls } = await run.finished;
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('is unknown') as string }]);
  });

  it('in an approved call, that one is on record as approved', async () => {
    const records: AuditRecord[] = [];
    const audit = { record: (record: AuditRecord) => records.push(record) };
    const web = await fleet.start('web');
    const first = await fleet.startMortal('worker', {
      permissions: { send: 'ask' },
      steps: [{ toolCalls: [{ name: 'send' }] }],
    });
    const second = await fleet.start('worker', { audit, steps: ['Well.'] });
    const sending = new Barrier();
    const send = defineTool({ name: 'send', description: 'Send', execute: () => sending.pass() });
    [first, second].forEach(({ app }) => app.get(ToolRegistry).register(send));
    const { runId, pendingActions } = await web.agent.chat({ message: 'go' }, ALICE);
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    const run = await web.agent.resume(runId, [answer], ALICE);
    await sending.reached;
    await first.die();
    now += LEASE_MS + 1;
    await run.finished;
    expect(records).toMatchObject([{ outcome: 'interrupted', approval: 'approved' }]);
  });

  it('its last words are void, and told anew under higher numbers', async () => {
    const web = await fleet.start('web');
    const stuck = new Barrier();
    const first = await fleet.startMortal('worker', {
      steps: [[{ type: 'text.delta', delta: 'Hel' }, stuck]],
    });
    const run = await web.agent.start({ message: 'hi' }, ALICE);
    const heard: AgentEvent[] = [];
    for await (const event of run.events()) {
      heard.push(event);
      if (event.type === 'text.delta') break;
    }
    await first.die();
    now += LEASE_MS + 1;
    await fleet.start('worker', { steps: ['Hello'] });
    const last = heard.at(-1)?.seq ?? 0;
    const rest = await allOf(await web.agent.events(run.runId, { ...ALICE, after: last }));
    const [discarded] = rest;
    expect(discarded).toMatchObject({ type: 'step.discarded', from: 2 });
    expect(discarded?.type === 'step.discarded' && discarded.to >= last).toBe(true);
    expect(rest.every(({ seq }) => seq > last)).toBe(true);
    expect(shown([...heard, ...rest])).toBe('Hello');
    expect(shown(await allOf(await web.agent.events(run.runId, ALICE)))).toBe('Hello');
  });

  it('again and again in the same step, the run fails after maxAttempts', async () => {
    const web = await fleet.start('web');
    const run = await web.agent.start({ message: 'hi' }, ALICE);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const asked = new Barrier();
      const worker = await fleet.startMortal('worker', {
        steps: [() => (asked.open(), [new Barrier()])],
      });
      await asked.pass();
      await worker.die();
      now += LEASE_MS + 1;
    }
    const { model } = await fleet.start('worker', { maxAttempts: 2, steps: ['Never.'] });
    expect(await run.finished).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    expect(model.requests).toEqual([]);
    expect(await fleet.store.queuedRuns?.({ limit: 1 })).toEqual([]);
  });

  it('in each step anew, the run goes on: maxAttempts counts for a step', async () => {
    const web = await fleet.start('web');
    const run = await web.agent.start({ message: 'hi' }, ALICE);
    for (let step = 1; step <= 3; step += 1) {
      const asked = new Barrier();
      const worker = await fleet.startMortal('worker', {
        maxAttempts: 2,
        steps: [
          ...(step > 1 ? [{ toolCalls: [{ name: 'look' }] }] : []),
          () => (asked.open(), [new Barrier()]),
        ],
      });
      await asked.pass();
      await worker.die();
      now += LEASE_MS + 1;
    }
    await fleet.start('worker', { maxAttempts: 2, steps: ['Done.'] });
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'Done.' });
  });
});

/** The text that a reader sees at the end. */
function shown(events: readonly AgentEvent[]): string {
  let told: readonly AgentEvent[] = [];
  for (const event of events) {
    if (event.type !== 'step.discarded') told = [...told, event];
    else told = told.filter(({ seq }) => seq < event.from || seq > event.to);
  }
  return told.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');
}
