import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { RunJob } from 'nestjs-agent/testing';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { runSql } from '../postgres';
import { CANARY } from '../fleet/canary';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import type { Machine } from '../fleet/machine';
import { LEVEL_3 } from '../fleet/topology';
import { newTag, WorkedRuns } from '../fleet/worked-runs';
import { dumped } from './dump';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const COUNT = 50;
/** So many messages are sent at a time. */
const AT_ONCE = 100;
const REFUSED = { end: { status: 'failed' }, errors: ['credentials_refused'] };

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

  const secrets = (lines: readonly string[]): readonly string[] =>
    lines.filter((line) => line.includes(CANARY));

  const RUNS = roundsOf('secretRuns');

  it(`hold no header, cookie, token or claim of ${RUNS} runs, and nothing of them stays`, async () => {
    const begun: WorkedRuns[] = [];
    for (let count = 0; count < RUNS; count += AT_ONCE) {
      begun.push(await WorkedRuns.begin(fleet, Math.min(AT_ONCE, RUNS - count)));
    }
    const queued = await dumped(redis, fleet.schema);
    expect(queued.filter((line) => line.startsWith('agent_queued'))).toHaveLength(RUNS);
    expect(await jobKeys()).toHaveLength(RUNS);
    expect(secrets(queued)).toEqual([]);
    workers.push(await fleet.worker());
    for (const runs of begun) {
      await runs.expectWhole();
      expect(fleet.of('wrote', runs.tag)).toHaveLength(2 * runs.runs.length);
    }
    const after = await dumped(redis, fleet.schema);
    expect(secrets(after)).toEqual([]);
    expect(after.filter((line) => line.startsWith('agent_queued'))).toEqual([]);
    expect(fleet.logs.length).toBeGreaterThan(0);
    expect(secrets(fleet.logs)).toEqual([]);
  });

  it('never let a claim open for another run, or late', async () => {
    const swapped = await WorkedRuns.begin(fleet, 2 * COUNT);
    const keys = await jobKeys();
    const jobs = await Promise.all(
      keys.map(async (key) => JSON.parse((await redis.hget(key, 'data')) ?? '{}') as RunJob),
    );
    for (const [index, key] of keys.entries()) {
      const { sealed } = jobs[(index + 1) % keys.length] ?? {};
      const job = jobs[index];
      await redis.hset(key, 'data', JSON.stringify({ ...job, sealed }));
      // Every other one also in the store, so that only the encryption is left.
      if (index % 2 === 0) continue;
      const swap = `update ${fleet.schema}.agent_queued set sealed = $1 where run_id = $2`;
      await runSql(swap, [sealed, job?.runId]);
    }
    workers.push(await fleet.worker());
    for (const run of swapped.runs) expect(await run.toItsEnd()).toMatchObject(REFUSED);
    await workers.pop()?.end('SIGTERM');
    const late = await WorkedRuns.begin(fleet, 20);
    workers.push(await fleet.worker({ aheadMs: 2 * 3_600_000 }));
    for (const run of late.runs) expect(await run.toItsEnd()).toMatchObject(REFUSED);
    for (const { tag } of [swapped, late]) {
      expect(fleet.deeds.filter((deed) => deed.tag.startsWith(tag))).toEqual([]);
    }
    expect(secrets(fleet.logs)).toEqual([]);
  });

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

  it('call nothing for users who were locked out meanwhile', async () => {
    const tag = newTag();
    const users = Array.from({ length: 2 * COUNT + 1 }, (_, index) => `former-${index}`);
    const runs = await Promise.all(users.map((user) => fleet.run(user, `${tag}: say 2, look`)));
    fleet.revoke(...users.slice(1));
    workers.push(await fleet.worker());
    const [allowed, ...refused] = runs;
    expect(await allowed?.toItsEnd()).toMatchObject({ end: { status: 'completed' } });
    // Their readers are refused as well.
    await drained();
    const ends = await runSql<{ readonly entry: string }>(
      `select t::text as entry from ${fleet.schema}.agent_entries as t
       where t::text like '%credentials_refused%'`,
    );
    for (const { runId } of refused) {
      expect(ends.some(({ entry }) => entry.includes(runId))).toBe(true);
    }
    expect(fleet.of('looks', tag).map(({ user }) => user)).toEqual(['former-0']);
    expect(fleet.of('speaks', tag)).toHaveLength(2);
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
    // While one run takes its time, as many others begin as the worker has lanes.
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
    // Before any answer no job lets it go on.
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
