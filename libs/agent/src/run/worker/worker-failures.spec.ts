import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { LeaseLostError, SessionStoreError, type WaitingRun } from '../../session';
import { Barrier, type ScriptedOutcome } from '../../testing';
import { allOf } from '../fixtures/all-of';
import { DyingStore } from '../fixtures/dying.store';
import { WorkerFleet, type FleetProcess } from '../fixtures/worker-fleet';
import { WorkerProcess } from './worker.process';

const ALICE = { principal: 'alice' };
const BOB = { principal: 'bob' };
const LEASE_MS = 15_000;
const SWEEP_MS = 15_000;
const BURN = { toolCalls: [{ name: 'burn' }] };
const ALL_BUT_INTERVALS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
] as const;

const sweep = ({ app }: FleetProcess): Promise<void> => app.get(WorkerProcess).sweep();

describe('a queued run', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(async () => {
    jest.useRealTimers();
    await fleet.close();
    jest.restoreAllMocks();
  });

  it('that went on in the process of a request is settled after the death of that one', async () => {
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const store = new DyingStore(fleet.store, Infinity, 'before');
    const asked = new Barrier();
    const web = await fleet.start('web', {
      store: store.asStore(),
      steps: [() => (asked.open(), [new Barrier()])],
    });
    await fleet.start('worker', { steps: [BURN, 'Next.'] });
    const { runId, sessionId, pendingActions } = await web.agent.chat({ message: 'go' }, ALICE);
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    // An instance cannot be sent, so the run stays in this process.
    await web.agent.resume(runId, [answer], { ...ALICE, context: [new Date()] });
    await asked.pass();
    store.die();
    now += LEASE_MS + 1;
    const other = await fleet.start('web');
    expect(await other.agent.run(runId, ALICE)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted' },
    });
    const next = await other.agent.chat({ message: 'more', sessionId }, ALICE);
    expect(next).toMatchObject({ status: 'completed', message: 'Next.' });
    expect(fleet.queue.delivered.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  /** A worker whose entries the store refuses from the model's answer on. */
  async function startRefused(error: Error): Promise<void> {
    const refuse = () => jest.spyOn(fleet.store, 'append').mockRejectedValue(error);
    await fleet.start('worker', { steps: [() => (refuse(), 'Done.')] });
  }

  it('whose store is away is not logged as failed, as another worker continues it', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const logged = new Promise<string>((resolve) =>
      jest.spyOn(Logger.prototype, 'error').mockImplementation((text: string) => resolve(text)),
    );
    const web = await fleet.start('web');
    await startRefused(new SessionStoreError('store_unavailable', 'Away.'));
    const { runId } = await web.agent.start({ message: 'go' }, ALICE);
    expect(await logged).toBe(
      `The end of run ${runId} could not be stored: Away. Another worker continues it.`,
    );
    expect(warn.mock.calls.flat()).toContain(
      `Run ${runId} was interrupted: store_unavailable. Away.`,
    );
  });

  describe('whose store fails', () => {
    const PROVIDER_TOOL = { type: 'provider_tool', id: 'mcp_1', name: 'send_mail' } as const;
    const CUT = new SessionStoreError('store_unavailable', 'Cut off.');
    beforeEach(() => {
      jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    });

    /** Fails as the model's first answer is stored. */
    const cutOnce = (answer: ScriptedOutcome) => () => {
      jest.spyOn(fleet.store, 'append').mockRejectedValueOnce(CUT);
      return answer;
    };

    it.each([['Done.'], [{ toolCalls: [{ name: 'write' }] }]])(
      'once, as it gets %j, goes on in a worker',
      async (answer) => {
        const web = await fleet.start('web');
        const worker = await fleet.start('worker', {
          steps: [cutOnce(answer), answer, 'Done.'],
        });
        const run = await web.agent.start({ message: 'go' }, ALICE);
        expect(await run.finished).toMatchObject({ status: 'completed', message: 'Done.' });
        const isCall = typeof answer !== 'string';
        expect(worker.model.requests).toHaveLength(isCall ? 3 : 2);
        expect(fleet.world.writes).toBe(isCall ? 1 : 0);
      },
    );

    it('whenever it gets an answer, ends after maxAttempts', async () => {
      const append = fleet.store.append.bind(fleet.store);
      jest.spyOn(fleet.store, 'append').mockImplementation((id, writing, ...rest) => {
        const isAnswer = JSON.stringify(writing).includes('step.finished');
        return isAnswer ? Promise.reject(CUT) : append(id, writing, ...rest);
      });
      const web = await fleet.start('web');
      const worker = await fleet.start('worker', { steps: ['1', '2', '3'], maxAttempts: 3 });
      const run = await web.agent.start({ message: 'go' }, ALICE);
      expect(await run.finished).toMatchObject({
        status: 'failed',
        error: { code: 'interrupted' },
      });
      expect(worker.model.requests).toHaveLength(3);
    });

    it('once, as it gets an answer with a tool that the provider ran, ends: that would run again', async () => {
      const web = await fleet.start('web');
      const worker = await fleet.start('worker', {
        steps: [cutOnce([PROVIDER_TOOL, { type: 'text.delta', delta: 'Sent.' }, END]), 'Again.'],
      });
      const run = await web.agent.start({ message: 'go' }, ALICE);
      expect(await run.finished).toMatchObject({ status: 'failed', message: 'Sent.' });
      expect(worker.model.requests).toHaveLength(1);
    });

    it('once, as it gets an answer that breaks after such a tool, ends as well', async () => {
      const web = await fleet.start('web');
      const call = { type: 'tool_use', id: 'call_1', name: 'write', input: {} } as const;
      const worker = await fleet.start('worker', {
        steps: [cutOnce([PROVIDER_TOOL, call, new Error('Broken.')]), 'Again.'],
      });
      const run = await web.agent.start({ message: 'go' }, ALICE);
      expect(await run.finished).toMatchObject({ status: 'failed' });
      expect(worker.model.requests).toHaveLength(1);
      expect(fleet.world.writes).toBe(0);
      const told = await allOf(await web.agent.events(run.runId, ALICE));
      expect(told).toContainEqual(
        expect.objectContaining({ type: 'provider.tool', callId: 'mcp_1' }),
      );
    });

    it('once, as its worker leaves amid an answer with such a tool, ends as well', async () => {
      const web = await fleet.start('web');
      const call = { type: 'tool_use', id: 'call_1', name: 'write', input: {} } as const;
      const said = { type: 'text.delta', delta: 'Sent.' } as const;
      const worker = await fleet.start('worker', {
        steps: [[PROVIDER_TOOL, call, said, new Barrier()]],
      });
      const run = await web.agent.start({ message: 'go' }, ALICE);
      for await (const { type } of run.events()) {
        if (type !== 'text.delta') continue;
        jest.spyOn(fleet.store, 'append').mockRejectedValueOnce(CUT);
        await Promise.all([fleet.start('worker', { steps: ['Again.'] }), worker.app.close()]);
      }
      expect(await run.finished).toMatchObject({ status: 'failed', message: 'Sent.' });
      const told = await allOf(await web.agent.events(run.runId, ALICE));
      expect(told).toContainEqual(
        expect.objectContaining({ type: 'provider.tool', callId: 'mcp_1' }),
      );
    });
  });

  it('whose lease is lost is logged once, and not as failed', async () => {
    const web = await fleet.start('web');
    await startRefused(new LeaseLostError());
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const logged = new Promise((resolve) => warn.mockImplementation(resolve));
    const { runId } = await web.agent.start({ message: 'go' }, ALICE);
    expect(await logged).toBe(`Run ${runId} was interrupted: lease_lost`);
    await fleet.close();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(error).not.toHaveBeenCalled();
  });

  it('that its user stopped is logged if its lease is lost before the end is stored', async () => {
    const logged = new Promise<string>((resolve) =>
      jest.spyOn(Logger.prototype, 'error').mockImplementation((text: string) => resolve(text)),
    );
    const web = await fleet.start('web');
    const barrier = new Barrier();
    await fleet.start('worker', { steps: [[barrier, END]] });
    const { runId } = await web.agent.start({ message: 'go' }, ALICE);
    await barrier.reached;
    jest.spyOn(fleet.store, 'append').mockRejectedValue(new LeaseLostError());
    void web.agent.cancel(runId, ALICE).catch(() => undefined);
    expect(await logged).toMatch(
      new RegExp(`^The end of run ${runId} could not be stored: .* Another worker continues it.$`),
    );
  });

  it('that ends before its approved call begins tells that it was not run', async () => {
    const web = await fleet.start('web');
    const permissions = { look: 'ask' } as const;
    const steps = [{ toolCalls: [{ name: 'look' }] }];
    const first = await fleet.start('worker', { permissions, steps });
    const { runId, pendingActions } = await web.agent.chat({ message: 'go' }, ALICE);
    await first.app.close();
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    const run = await web.agent.resume(runId, [answer], ALICE);
    await fleet.start('worker', { systemPrompt: () => Promise.reject(new Error('No prompt.')) });
    const { status, toolCalls } = await run.finished;
    expect(status).toBe('failed');
    expect(fleet.world.looks).toBe(0);
    expect(toolCalls).toMatchObject([{ output: expect.stringContaining('not run') as string }]);
  });

  it('that fails before its first step voids no events', async () => {
    const web = await fleet.start('web');
    await fleet.start('worker', { systemPrompt: () => Promise.reject(new Error('No prompt.')) });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    expect(await run.finished).toMatchObject({ status: 'failed' });
    const told = await allOf(await web.agent.events(run.runId, ALICE));
    expect(told.map(({ type, seq }) => `${seq} ${type}`)).toEqual([
      '1 run.started',
      '2 error',
      '3 run.finished',
    ]);
  });

  it('in which the provider has begun a tool ends with its worker: a second one would run it again', async () => {
    const web = await fleet.start('web');
    const begun = { type: 'provider_tool', id: 'mcp_1', name: 'send_mail' } as const;
    const said = { type: 'text.delta', delta: 'I write.' } as const;
    const worker = await fleet.start('worker', { steps: [[begun, said, new Barrier()]] });
    const next = () => fleet.start('worker', { steps: ['Sent again.'] });
    const run = await web.agent.start({ message: 'go' }, ALICE);
    for await (const { type } of run.events()) {
      if (type === 'text.delta') await Promise.all([next(), worker.app.close()]);
    }
    expect(await run.finished).toMatchObject({ status: 'failed', message: 'I write.' });
    const told = await allOf(await web.agent.events(run.runId, ALICE));
    expect(told).toContainEqual(expect.objectContaining({ type: 'error', code: 'shutdown' }));
    expect(told).toContainEqual(
      expect.objectContaining({ type: 'provider.tool', callId: 'mcp_1' }),
    );
    expect(await fleet.store.queuedRuns?.({ limit: 9 })).toEqual([]);
  });

  it('that cannot be ended holds up no others', async () => {
    const web = await fleet.start('web', { limits: { queueTimeoutMs: 1 } });
    await web.agent.start({ message: 'go' }, ALICE);
    await web.agent.start({ message: 'go' }, BOB);
    const waiting = async () => (await fleet.store.queuedRuns?.({ limit: 9 })) ?? [];
    const [{ sessionId: broken = '' } = {}] = await waiting();
    const acquire = fleet.store.acquire.bind(fleet.store);
    jest
      .spyOn(fleet.store, 'acquire')
      .mockImplementation((id, ...rest) =>
        id === broken ? Promise.reject(new Error('Broken.')) : acquire(id, ...rest),
      );
    await delay(5);
    await sweep(web);
    expect((await waiting()).map(({ sessionId }) => sessionId)).toEqual([broken]);
  });

  it('is looked for by one sweep at a time, however long one takes', async () => {
    jest.useFakeTimers({ doNotFake: [...ALL_BUT_INTERVALS] });
    await fleet.start('web');
    let answer: (runs: readonly WaitingRun[]) => void = () => undefined;
    const asked = jest
      .spyOn(fleet.store, 'queuedRuns' as never)
      .mockImplementation((() => new Promise((resolve) => (answer = resolve))) as never);
    jest.advanceTimersByTime(4 * SWEEP_MS);
    await delay(5);
    expect(asked).toHaveBeenCalledTimes(1);
    answer([]);
    await delay(5);
    expect(asked).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(SWEEP_MS);
    expect(asked).toHaveBeenCalledTimes(2);
    answer([]);
  });

  it('is left alone by a process that has closed', async () => {
    const web = await fleet.start('web', { limits: { queueTimeoutMs: 1 } });
    await web.agent.start({ message: 'go' }, ALICE);
    const runs = (await fleet.store.queuedRuns?.({ limit: 9 })) ?? [];
    await delay(5);
    let answer: (runs: readonly WaitingRun[]) => void = () => undefined;
    jest
      .spyOn(fleet.store, 'queuedRuns' as never)
      .mockImplementation((() => new Promise((resolve) => (answer = resolve))) as never);
    const sweeping = sweep(web);
    await web.app.close();
    const taken = jest.spyOn(fleet.store, 'acquire');
    answer(runs.map((run) => ({ ...run, waitedMs: 1_000 })));
    await sweeping;
    expect(taken).not.toHaveBeenCalled();
  });

  it('that waits for an unavailable store is told of once, until the store is back', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const web = await fleet.start('web');
    const runs = [
      await web.agent.start({ message: 'go' }, ALICE),
      await web.agent.start({ message: 'go' }, BOB),
    ];
    const acquire = fleet.store.acquire.bind(fleet.store);
    const refused = jest
      .spyOn(fleet.store, 'acquire')
      .mockImplementation((...args) =>
        refused.mock.calls.length > 6
          ? acquire(...args)
          : Promise.reject(new SessionStoreError('store_unavailable', 'Out of reach.')),
      );
    await fleet.start('worker', { steps: ['Done.', 'Done.'] });
    for (const run of runs) expect(await run.finished).toMatchObject({ message: 'Done.' });
    expect(refused.mock.calls.length).toBeGreaterThan(6);
    const told = warn.mock.calls.filter(([text]) => String(text).includes('taken up'));
    expect(told).toEqual([[expect.stringContaining('Out of reach.')]]);
  });

  it('starts without the queue only as far as the process has room', async () => {
    const web = await fleet.start('web', { limits: { runsPerPrincipal: 9 } });
    const started = [];
    for (let count = 0; count < 6; count += 1)
      started.push(await web.agent.start({ message: 'go' }, ALICE));
    fleet.queue.isAway = true;
    const gate = new Barrier();
    let most = 0;
    const step = () => ((most += 1), [gate, END] as const);
    const both = await fleet.start('both', {
      concurrency: 2,
      steps: Array.from({ length: 6 }, () => step),
      sessions: { store: fleet.store },
    });
    await sweep(both);
    await gate.reached;
    await sweep(both);
    await delay(50);
    // The queue itself delivered two before.
    expect(most).toBeLessThanOrEqual(4);
    gate.open();
    for (const run of started) expect(await run.finished).toMatchObject({ status: 'completed' });
  });
});

const END = { type: 'finish', reason: 'end_turn' } as const;
