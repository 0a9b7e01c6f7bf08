import { setTimeout as delay } from 'node:timers/promises';
import type { WaitingRun } from '../../session';
import { WorkerFleet, type FleetProcess } from '../fixtures/worker-fleet';
import { WorkerProcess } from './worker.process';

const ALICE = { principal: 'alice' };
const BURN = { toolCalls: [{ name: 'burn' }] };
/** The store is asked for so many at a time. */
const PAGE = 500;

const sweep = ({ app }: FleetProcess): Promise<void> => app.get(WorkerProcess).sweep();

describe('a sweep of the waiting runs', () => {
  let fleet: WorkerFleet;
  beforeEach(() => (fleet = new WorkerFleet()));
  afterEach(async () => {
    await fleet.close();
    jest.restoreAllMocks();
  });

  it('ends a late run of an agent that no process has any more, which then counts no longer', async () => {
    const before = await fleet.start('web', { furtherAgents: ['support'] });
    const { runId } = await before.agentOf('support').start({ message: 'go' }, ALICE);
    await before.app.close();
    const limits = { queueTimeoutMs: 1, runsPerPrincipal: 1 };
    const after = await fleet.start('web', { limits });
    await expect(after.agent.start({ message: 'go' }, ALICE)).rejects.toMatchObject({
      code: 'too_many_runs',
    });
    await delay(5);
    await sweep(after);
    expect([await fleet.store.queuedRuns?.({ limit: 9 }), fleet.queue.jobs]).toEqual([[], []]);
    await after.agent.start({ message: 'go' }, ALICE);
    const again = await fleet.start('web', { furtherAgents: ['support'] });
    expect(await again.agentOf('support').run(runId, ALICE)).toMatchObject({
      status: 'failed',
      error: { code: 'queue_timeout' },
    });
  });

  it('ends the calls of such a run in the name of its agent', async () => {
    const furtherAgents = ['support'];
    const before = await fleet.start('web', { furtherAgents });
    const worker = await fleet.start('worker', { furtherAgents, steps: [BURN] });
    const support = before.agentOf('support');
    const { runId, pendingActions } = await support.chat({ message: 'go' }, ALICE);
    await worker.app.close();
    const answer = { callId: pendingActions[0]?.callId ?? '', type: 'approve' } as const;
    await support.resume(runId, [answer], ALICE);
    await before.app.close();
    const ended: string[] = [];
    const after = await fleet.start('web', {
      limits: { queueTimeoutMs: 1 },
      audit: { record: ({ agent }) => void ended.push(agent ?? '') },
    });
    await delay(5);
    await sweep(after);
    expect(ended).toEqual(['support']);
  });

  it('gives them their places by how long they have waited, on whichever page they are', async () => {
    const web = await fleet.start('web');
    const run = (id: string, owner: string, waitedMs: number): WaitingRun => ({
      ...{ sessionId: id, runId: id, owner, waitedMs },
      attempt: 1,
      isHeld: false,
    });
    const others = Array.from({ length: PAGE - 1 }, (_, at) => run(`${at}`, `user ${at}`, 10));
    const first = [...others, run('late', 'alice', 1_000)];
    const second = [run('early', 'alice', 3_000), run('between', 'alice', 2_000)];
    jest
      .spyOn(fleet.store, 'queuedRuns' as never)
      .mockResolvedValueOnce(first as never)
      .mockResolvedValueOnce(second as never);
    await sweep(web);
    const { jobs } = fleet.queue;
    expect(jobs).toHaveLength(PAGE + 2);
    const places = new Map(jobs.map(({ job, priority }) => [job.runId, priority]));
    expect(['early', 'between', 'late'].map((id) => places.get(id))).toEqual([0, 1, 2]);
  });
});
