import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { newTag } from './worked-runs';
import { LONG_LEASE_MS, type Machine, WorkerMachines } from './worker-machines';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

/** So many messages are sent at a time. */
const AT_ONCE = 100;

describe('web processes and workers', () => {
  let machines: WorkerMachines;
  let redis: Redis;
  const workers: Machine[] = [];

  beforeAll(async () => {
    machines = await WorkerMachines.start({
      webs: ['this', 'this'],
      leaseMs: LONG_LEASE_MS,
    });
    redis = new Redis(machines.redis.url);
  });
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.end('SIGTERM'))));
  afterAll(async () => {
    redis.disconnect();
    await machines.close();
  });

  const jobKeys = (): Promise<readonly string[]> => redis.keys('{agent}:runs:run_*');

  const drained = async (): Promise<void> => {
    while ((await jobKeys()).length > 0) await delay(20);
  };

  it('do not delay users behind many runs of another one', async () => {
    const MANY = roundsOf('runsOfOneUser');
    const FEW = 10;
    const LANES = 10;
    const tag = newTag();
    const many = [];
    for (let count = 0; count < MANY; count += AT_ONCE) {
      const runs = Array.from({ length: AT_ONCE }, () => machines.run('many', `${tag}many: say 2`));
      many.push(...(await Promise.all(runs)));
    }
    const spoken = () => machines.of('speaks', tag).map((deed) => deed.tag);
    workers.push(await machines.worker({ concurrency: LANES }));
    const few = await Promise.all(
      Array.from({ length: FEW }, async (_, index) => {
        const run = await machines.run(`few-${index}`, `${tag}${index}: say 2`);
        return { run, name: `${tag}${index}`, before: spoken().length };
      }),
    );
    await Promise.all([...few.map(({ run }) => run), ...many].map((run) => run.toItsEnd()));
    const order = spoken();
    expect(order).toHaveLength(MANY + FEW);
    // While one run takes its time, as many others begin as the worker has lanes.
    const waits = few.map(({ name, before }) => (order.indexOf(name) - before) / LANES);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2);
  });

  it('run each approved call once, however often answers and jobs come', async () => {
    const tag = newTag();
    const users = Array.from(
      { length: roundsOf('doubleApprovals') },
      (_, index) => `user-${index}`,
    );
    workers.push(...(await Promise.all([machines.worker(), machines.worker()])));
    const queue = new Queue('runs', {
      connection: { port: machines.redis.port },
      prefix: '{agent}',
    });
    const asked = await Promise.all(
      users.map(async (user) => {
        const message = `${tag}${user}: remove`;
        const run = await machines.request(user, 'POST', '/chat', { message });
        expect(run).toMatchObject({ status: 'requires_action' });
        return { ...run, user };
      }),
    );
    const forgeAll = async (): Promise<void> => {
      const jobs = asked.flatMap(({ runId, sessionId }) =>
        [1, 2, 3].map((attempt) => ({ v: 1, runId, sessionId, attempt })),
      );
      const add = (job: (typeof jobs)[number]): Promise<unknown> =>
        queue.add('run', job, { jobId: `${job.runId}.${job.attempt}` });
      await Promise.all(jobs.map(add));
      await drained();
    };
    // Before any answer no job lets it go on.
    await forgeAll();
    expect(machines.of('writes', tag)).toEqual([]);
    const ends = await Promise.all(
      asked.map(async ({ user, runId, pendingActions }) => {
        const actions = [{ callId: pendingActions[0]?.callId, type: 'approve' }];
        const answers = await Promise.all(
          [1, 2].map(() => machines.request(user, 'POST', `/runs/${runId}/actions`, { actions })),
        );
        return answers.filter(({ status }) => status === 'completed').length;
      }),
    );
    expect(ends).toEqual(users.map(() => 1));
    await forgeAll();
    const removed = machines.of('writes', tag).map((deed) => deed.tag);
    expect(removed.toSorted()).toEqual(users.map((user) => `${tag}${user}`).toSorted());
    await queue.close();
  });
});
