import { setTimeout as delay } from 'node:timers/promises';
import { Barrier } from '../../testing';
import { WorkerFleet, type FleetProcess } from '../fixtures/worker-fleet';
import type { RunJob } from '../queue';
import { WorkerProcess } from './worker.process';

const ALICE = { principal: 'alice' };
const BURN = { toolCalls: [{ name: 'burn' }] };
const END = { type: 'finish', reason: 'end_turn' } as const;

const working = ({ app }: FleetProcess): WorkerProcess => app.get(WorkerProcess);

describe('a job that comes late', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(async () => {
    await fleet.close();
    jest.restoreAllMocks();
  });

  const jobOf = (runId: string): RunJob => {
    const job = fleet.queue.delivered.find((each) => each.runId === runId);
    if (!job) throw new Error('The run had a job.');
    return job;
  };

  it('for a run that has ended or waits locks no session', async () => {
    const web = await fleet.start('web');
    const worker = await fleet.start('worker', { steps: ['Done.', BURN] });
    const [done, waits] = [
      await web.agent.chat({ message: 'go' }, ALICE),
      await web.agent.chat({ message: 'go' }, ALICE),
    ];
    expect([done.status, waits.status]).toEqual(['completed', 'requires_action']);
    const locked = jest.spyOn(fleet.store, 'acquire');
    for (const { runId } of [done, waits]) {
      expect(await working(worker).work(jobOf(runId))).toBeUndefined();
    }
    expect(locked).not.toHaveBeenCalled();
  });

  it('for a run that is in the queue again locks no session', async () => {
    const web = await fleet.start('web');
    const first = await fleet.start('worker', { steps: [BURN] });
    const { runId, pendingActions } = await web.agent.chat({ message: 'go' }, ALICE);
    await first.app.close();
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    await web.agent.resume(runId, [answer], ALICE);
    const locked = jest.spyOn(fleet.store, 'acquire');
    const other = await fleet.start('both', { concurrency: 0 });
    expect(await working(other).work(jobOf(runId))).toBeUndefined();
    expect(locked).not.toHaveBeenCalled();
  });

  it('after the lock of a dead worker comes once its session is free, because both last as long', async () => {
    const worker = await fleet.start('worker', { sessions: { leaseMs: 4_000 } });
    expect(working(worker).lockMs).toBe(4_000);
  });

  it('for a run that another worker executes is kept, and tried again', async () => {
    const web = await fleet.start('web');
    const barrier = new Barrier();
    const worker = await fleet.start('worker', { steps: [[barrier, END]] });
    const { runId, finished } = await web.agent.start({ message: 'go' }, ALICE);
    await barrier.reached;
    expect(await working(worker).work(jobOf(runId))).toBe(1_000);
    barrier.open();
    expect(await finished).toMatchObject({ status: 'completed' });
  });

  it('is not ended by a sweep that read of it before', async () => {
    const web = await fleet.start('web', { limits: { queueTimeoutMs: 1 } });
    const { finished } = await web.agent.start({ message: 'go' }, ALICE);
    const before = (await fleet.store.queuedRuns?.({ limit: 9 })) ?? [];
    await fleet.start('worker', { steps: ['Done.'] });
    expect(await finished).toMatchObject({ status: 'completed' });
    while (fleet.queue.jobs.length > 0) await delay(1);
    jest
      .spyOn(fleet.store, 'queuedRuns' as never)
      .mockResolvedValue(before.map((run) => ({ ...run, waitedMs: 1_000 })) as never);
    const locked = jest.spyOn(fleet.store, 'acquire');
    await working(web).sweep();
    expect(locked).not.toHaveBeenCalled();
  });
});
