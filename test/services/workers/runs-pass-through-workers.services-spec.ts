import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { RunJob } from 'nestjs-agent/testing';
import { runSql } from '../postgres';
import { CANARY } from './canary';
import type { ToldRun } from './told-run';
import type { Deed } from './worker-application';
import { type Machine, WorkerMachines } from './worker-machines';

jest.setTimeout(120_000);

const LEASE_MS = 1_000;
const WORDS = 4;
const ORDERS = ordersOf(WORDS);
const USERS = ['ann', 'ben', 'cid'] as const;
const REFUSED = { end: { status: 'failed' }, errors: ['credentials_refused'] };

/** Four steps of so many words each. */
function ordersOf(words: number): string {
  return `say ${words}, look; say ${words}, write; say ${words}, write; say ${words}`;
}

/** What such a run says, told once. */
function wholeOf(words: number): string {
  const said = Array.from({ length: words }, (_, word) => word);
  return [0, 1, 2, 3].flatMap((step) => said.map((word) => `${step}.${word} `)).join('');
}

describe('web processes and workers', () => {
  let machines: WorkerMachines;
  let redis: Redis;
  let tags = 0;

  beforeAll(async () => {
    machines = await WorkerMachines.start(2);
    redis = new Redis(machines.redis.url);
  });
  afterAll(async () => {
    redis.disconnect();
    await machines.close();
  });

  const newTag = (): string => `tag${(tags += 1)}-`;

  /** So many runs of several users at a time. */
  const begin = (count: number, tag: string, orders = ORDERS): Promise<readonly ToldRun[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        machines.run(USERS[index % USERS.length] ?? '', `${tag}${index}: ${orders}`),
      ),
    );

  /** No write of a run began twice, and each was its own user's. */
  const expectOnce = (tag: string): void => {
    const writes = machines.of('writes', tag).map((deed) => `${deed.tag} ${deed.step}`);
    expect(writes).toEqual([...new Set(writes)]);
    for (const deed of [...machines.of('writes', tag), ...machines.of('looks', tag)]) {
      expect(deed.user).toBe(USERS[Number(deed.tag.split('-')[1]) % USERS.length]);
    }
  };

  const expectWhole = async (runs: readonly ToldRun[], words = WORDS): Promise<void> => {
    for (const { text, end } of await Promise.all(runs.map((run) => run.toItsEnd()))) {
      expect(end).toMatchObject({ status: 'completed' });
      expect(text).toBe(wholeOf(words));
    }
  };

  const jobKeys = (): Promise<readonly string[]> => redis.keys('{agent}:runs:run_*');

  const drained = async (): Promise<void> => {
    while ((await jobKeys()).length > 0) await delay(20);
  };

  /** All that Redis and PostgreSQL hold. */
  const dumped = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key);
      const value =
        type === 'hash'
          ? await redis.hgetall(key)
          : type === 'stream'
            ? await redis.xrange(key, '-', '+')
            : type === 'list'
              ? await redis.lrange(key, 0, -1)
              : type === 'zset'
                ? await redis.zrange(key, '0', '-1')
                : type === 'set'
                  ? await redis.smembers(key)
                  : await redis.get(key);
      lines.push(`${key} ${JSON.stringify(value)}`);
    }
    const tables = await runSql<{ readonly name: string }>(
      'select table_name as name from information_schema.tables where table_schema = $1',
      [machines.schema],
    );
    for (const { name } of tables) {
      const rows = await runSql<{ readonly row: string }>(
        `select t::text as row from ${machines.schema}.${name} as t`,
      );
      lines.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return lines;
  };

  describe('before a worker is there', () => {
    const COUNT = 50;
    const workers: Machine[] = [];
    afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.end('SIGTERM'))));

    it('hold no header, cookie, token or claim, and nothing of them stays', async () => {
      const tag = newTag();
      const runs = await begin(COUNT, tag);
      const queued = await dumped();
      expect(queued.filter((line) => line.startsWith('agent_queued'))).toHaveLength(COUNT);
      expect(await jobKeys()).toHaveLength(COUNT);
      expect(queued.filter((line) => line.includes(CANARY))).toEqual([]);
      workers.push(await machines.worker());
      await expectWhole(runs);
      expectOnce(tag);
      expect(machines.of('wrote', tag)).toHaveLength(2 * COUNT);
      const after = await dumped();
      expect(after.filter((line) => line.includes(CANARY))).toEqual([]);
      expect(after.filter((line) => line.startsWith('agent_queued'))).toEqual([]);
    });

    it('never let a claim open for another run, or late', async () => {
      const tag = newTag();
      const runs = await begin(2 * COUNT, tag);
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
        const swap = `update ${machines.schema}.agent_queued set sealed = $1 where run_id = $2`;
        await runSql(swap, [sealed, job?.runId]);
      }
      workers.push(await machines.worker());
      for (const run of runs) {
        const told = await run.toItsEnd();
        expect(told).toMatchObject(REFUSED);
      }
      await workers.pop()?.end('SIGTERM');
      const late = await begin(20, tag);
      workers.push(await machines.worker({ aheadMs: 2 * 3_600_000 }));
      for (const run of late) {
        const told = await run.toItsEnd();
        expect(told).toMatchObject(REFUSED);
      }
      expect(machines.deeds.filter((deed) => deed.tag.startsWith(tag))).toEqual([]);
    });

    it('call nothing for users who were locked out meanwhile', async () => {
      const tag = newTag();
      const users = Array.from({ length: 2 * COUNT }, (_, index) => `former-${index}`);
      const runs = await Promise.all(users.map((user) => machines.run(user, `${tag}: ${ORDERS}`)));
      machines.revoke(...users.slice(1));
      workers.push(await machines.worker());
      const [allowed, ...refused] = runs;
      expect(await allowed?.toItsEnd()).toMatchObject({ end: { status: 'completed' } });
      // Their readers are refused as well.
      await drained();
      const ends = await runSql<{ readonly entry: string }>(
        `select t::text as entry from ${machines.schema}.agent_entries as t
         where t::text like '%credentials_refused%'`,
      );
      for (const { runId } of refused) {
        expect(ends.some(({ entry }) => entry.includes(runId))).toBe(true);
      }
      expect(machines.of('looks', tag).map(({ user }) => user)).toEqual(['former-0']);
      expect(machines.of('speaks', tag)).toHaveLength(4);
    });

    it('do not delay a user behind a hundred runs of another one', async () => {
      const tag = newTag();
      const many = await Promise.all(
        Array.from({ length: 100 }, () => machines.run('many', `${tag}many: say 2`)),
      );
      const few = await Promise.all(
        Array.from({ length: 5 }, (_, index) => machines.run(`few-${index}`, `${tag}few: say 2`)),
      );
      workers.push(await machines.worker({ concurrency: 2 }));
      await Promise.all([...few, ...many].map((run) => run.toItsEnd()));
      const order = machines.of('speaks', tag).map((deed) => deed.tag);
      expect(order).toHaveLength(105);
      expect(order.lastIndexOf(`${tag}few`)).toBeLessThan(16);
    });
  });

  describe('with two workers', () => {
    let workers: Machine[];
    beforeAll(async () => {
      workers = await Promise.all([machines.worker(), machines.worker()]);
    });

    const replace = async (gone: Machine): Promise<void> => {
      workers.splice(workers.indexOf(gone), 1, await machines.worker());
    };

    const POINTS: readonly [string, (deed: Deed) => boolean, number][] = [
      ['in a model step', ({ kind, step }) => kind === 'speaks' && step === 1, 20],
      ['at the beginning of a write', ({ kind }) => kind === 'writes', 0],
      ['in a write', ({ kind }) => kind === 'writes', 60],
      ['at the end of a write', ({ kind }) => kind === 'wrote', 0],
      ['between steps', ({ kind }) => kind === 'wrote', 6],
      ['at a read', ({ kind }) => kind === 'looks', 0],
    ];

    it.each(POINTS)('write nothing twice if one is killed %s', async (_, fits, afterMs) => {
      const tag = newTag();
      const point = machines.next((deed) => deed.tag.startsWith(tag) && fits(deed));
      const runs = await begin(12, tag);
      const { by } = await point;
      if (afterMs > 0) await delay(afterMs);
      await by.end('SIGKILL');
      const replaced = replace(by);
      await expectWhole(runs);
      expectOnce(tag);
      await replaced;
    });

    it.each(POINTS.slice(0, 3))(
      'write nothing twice if one is paused over its lease %s',
      async (_, fits, afterMs) => {
        const tag = newTag();
        const point = machines.next((deed) => deed.tag.startsWith(tag) && fits(deed));
        const runs = await begin(6, tag);
        const { by } = await point;
        if (afterMs > 0) await delay(afterMs);
        by.signal('SIGSTOP');
        await expectWhole(runs);
        by.signal('SIGCONT');
        // It goes on where it was, and finds that it has lost the sessions.
        await delay(LEASE_MS / 2);
        for (const run of runs) await run.again();
        expectOnce(tag);
        await expectWhole(await begin(6, newTag()));
      },
    );

    it('let runs go on elsewhere, whole, while all workers are replaced', async () => {
      const tag = newTag();
      const old = workers;
      workers = await Promise.all([machines.worker(), machines.worker()]);
      const runs = await begin(30, tag, ordersOf(20));
      for (const each of old) {
        await machines.next(({ tag: of, by }) => of.startsWith(tag) && by === each);
        await each.end('SIGTERM');
      }
      await expectWhole(runs, 20);
      expectOnce(tag);
    });

    it('run an approved call once, however often its answer and its jobs come', async () => {
      const tag = newTag();
      const asked = await machines.request('ann', 'POST', '/chat', { message: `${tag}0: remove` });
      expect(asked).toMatchObject({ status: 'requires_action' });
      const actions = [{ callId: asked.pendingActions[0]?.callId, type: 'approve' }];
      const queue = new Queue('runs', {
        connection: { port: machines.redis.port },
        prefix: '{agent}',
      });
      const { runId, sessionId } = asked;
      const forge = (attempt: number): Promise<unknown> =>
        queue.add('run', { v: 1, runId, sessionId, attempt }, { jobId: `${runId}.${attempt}` });
      // Before any answer no job lets it go on.
      await Promise.all([1, 2, 3].map(forge));
      await drained();
      expect(machines.of('writes', tag)).toEqual([]);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          machines.request('ann', 'POST', `/runs/${runId}/actions`, { actions }),
        ),
      );
      expect(answers.filter(({ status }) => status === 'completed')).toHaveLength(1);
      await Promise.all([1, 2, 3].map(forge));
      await drained();
      expect(machines.of('writes', tag)).toHaveLength(1);
      await queue.close();
    });
  });
});
