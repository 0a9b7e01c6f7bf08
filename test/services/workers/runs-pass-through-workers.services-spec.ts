import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import type { Machine } from '../fleet/machine';
import { LEVEL_3 } from '../fleet/topology';
import { newTag } from '../fleet/worked-runs';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

/** The number of messages sent concurrently. */
const AT_ONCE = 100;

describe('web processes and workers', () => {
  let fleet: Fleet;
  let redis: Redis;
  const workers: Machine[] = [];

  beforeAll(async () => {
    fleet = await Fleet.start({ ...LEVEL_3, workers: 0 }, { leaseMs: LONG_LEASE_MS });
    redis = new Redis(fleet.redis.url);
  });
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.end('SIGTERM'))));
  afterAll(async () => {
    redis.disconnect();
    await fleet.close();
  });

  const jobKeys = (): Promise<readonly string[]> => redis.keys('{agent}:runs:run_*');

  const drained = async (): Promise<void> => {
    while ((await jobKeys()).length > 0) await delay(20);
  };

  it('leave in the web process what a worker cannot be given', async () => {
    const tag = newTag();
    const pageTitle = { name: 'page_title', parameters: { type: 'object', properties: {} } };
    const completion = await fleet.request('ann', 'POST', '/v1/chat/completions', {
      model: 'agent',
      messages: [{ role: 'user', content: `${tag}openai: page_title` }],
      tools: [{ type: 'function', function: pageTitle }],
    });
    expect(completion).toMatchObject({
      status: 200,
      body: { choices: [{ finish_reason: 'tool_calls' }] },
    });
    for (const kind of ['tools', 'context']) {
      const message = `${tag}${kind}: look; say 1`;
      const { body } = await fleet.request('ann', 'POST', `/own/${kind}`, { message });
      expect(body).toMatchObject({ status: 'completed' });
    }
    const speakers = () => fleet.of('speaks', tag).map(({ by }) => by.role);
    expect(speakers()).toEqual(Array(5).fill('web'));
    expect(fleet.of('looks', tag)).toMatchObject([{ user: 'ann' }, { user: 'ann' }]);
    const passed = await fleet.run('ann', `${tag}passed: say 1`);
    workers.push(await fleet.worker());
    expect(await passed.toItsEnd()).toMatchObject({ end: { status: 'completed' } });
    expect(speakers().slice(5)).toEqual(['worker']);
  });

  it('do not delay users behind many runs of another one', async () => {
    const MANY = roundsOf('runsOfOneUser');
    const FEW = 10;
    const LANES = 10;
    const tag = newTag();
    const many = [];
    for (let count = 0; count < MANY; count += AT_ONCE) {
      const runs = Array.from({ length: AT_ONCE }, () => fleet.run('many', `${tag}many: say 2`));
      many.push(...(await Promise.all(runs)));
    }
    const spoken = () => fleet.of('speaks', tag).map((deed) => deed.tag);
    workers.push(await fleet.worker({ concurrency: LANES }));
    const few = await Promise.all(
      Array.from({ length: FEW }, async (_, index) => {
        const run = await fleet.run(`few-${index}`, `${tag}${index}: say 2`);
        return { run, name: `${tag}${index}`, before: spoken().length };
      }),
    );
    await Promise.all([...few.map(({ run }) => run), ...many].map((run) => run.toItsEnd()));
    const order = spoken();
    expect(order).toHaveLength(MANY + FEW);
    // While one run is slow, others use the worker's remaining concurrency.
    const waits = few.map(({ name, before }) => (order.indexOf(name) - before) / LANES);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2);
  });

  it('run each approved call once, however often answers and jobs come', async () => {
    const tag = newTag();
    const users = Array.from({ length: roundsOf('doubles') }, (_, index) => `user-${index}`);
    workers.push(...(await Promise.all([fleet.worker(), fleet.worker()])));
    const queue = new Queue('runs', {
      connection: { port: fleet.redis.port },
      prefix: '{agent}',
    });
    const asked = await Promise.all(
      users.map(async (user) => {
        const message = `${tag}${user}: remove`;
        const { body: run } = await fleet.request(user, 'POST', '/chat', { message });
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
    // Without an answer no job resumes it.
    await forgeAll();
    expect(fleet.of('writes', tag)).toEqual([]);
    const ends = await Promise.all(
      asked.map(async ({ user, runId, pendingActions }) => {
        const actions = [{ callId: pendingActions[0]?.callId, type: 'approve' }];
        const answers = await Promise.all(
          [1, 2].map(() => fleet.request(user, 'POST', `/runs/${runId}/actions`, { actions })),
        );
        return answers.filter(({ body }) => body.status === 'completed').length;
      }),
    );
    expect(ends).toEqual(users.map(() => 1));
    await forgeAll();
    const removed = fleet.of('writes', tag).map((deed) => deed.tag);
    expect(removed.toSorted()).toEqual(users.map((user) => `${tag}${user}`).toSorted());
    await queue.close();
  });
});
