import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import type { RunQueue } from 'nestjs-agent';
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';
import type { RunJob } from 'nestjs-agent/types';
import { freePort } from '../../support/free-port';
import { databaseUrl, dropSchema, newSchemaName, runSql } from '../postgres';
import { OwnRedis } from './own-redis';

const PASSWORD = 'canary-of-the-password';

describe('the doors of bullmqRuns', () => {
  let redis: OwnRedis;
  const closing: (() => unknown)[] = [];
  const lines: string[] = [];

  beforeAll(async () => {
    redis = await OwnRedis.start();
    await redis.ask('ACL', 'SETUSER', 'told', 'on', `>${PASSWORD}`, '~*', '&*', '+@all', '-config');
    await redis.ask('ACL', 'SETUSER', 'untold', 'on', `>${PASSWORD}`, '~*', '&*', '+@all', '-info');
  });
  afterAll(() => redis.kill());
  beforeEach(() => {
    lines.length = 0;
    for (const level of ['error', 'warn', 'log'] as const) {
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((...parts: unknown[]) => void lines.push(parts.join(' ')));
    }
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await redis.ask('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    jest.restoreAllMocks();
  });

  function made(options: BullmqRunsOptions): RunQueue {
    const runs = bullmqRuns(options);
    closing.push(() => runs.close());
    return runs;
  }

  async function refusal(options: BullmqRunsOptions): Promise<{ code?: string; message: string }> {
    const since = Date.now();
    const error = await made(options)
      .open()
      .then(
        () => new Error('It opened.'),
        (reason: unknown) => reason as Error,
      );
    expect(Date.now() - since).toBeLessThan(8_000);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(PASSWORD);
    return error;
  }

  describe('at boot', () => {
    it('says where no Redis answers', async () => {
      const port = await freePort();
      const connection = { host: '127.0.0.1', port, password: PASSWORD };
      const error = await refusal({ connection });
      expect(error.code).toBe('queue_unavailable');
      expect(error.message).toContain(`127.0.0.1:${port} cannot be reached (ECONNREFUSED)`);
      const url = `redis://agent:${PASSWORD}@127.0.0.1:${port}`;
      expect((await refusal({ connection: { url } })).message).toContain(`127.0.0.1:${port}`);
    });

    it('says which sentinels cannot be reached', async () => {
      const sentinels = [{ host: '127.0.0.1', port: await freePort() }];
      const connection = { sentinels, name: 'primary', sentinelPassword: PASSWORD };
      const error = await refusal({ connection });
      expect(error.code).toBe('queue_unavailable');
      expect(error.message).toContain('the sentinels of primary cannot be reached');
    });

    it('says that Redis refuses the password', async () => {
      const { port } = redis;
      const connection = { host: '127.0.0.1', port, username: 'told', password: `no${PASSWORD}` };
      const error = await refusal({ connection });
      expect(error.message).toContain('refused the credentials that it was given (WRONGPASS)');
    });

    it('refuses a Redis that evicts keys, and names the setting', async () => {
      await redis.ask('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      const { port } = redis;
      const error = await refusal({ connection: { port } });
      expect(error.code).toBe('queue_settings');
      expect(error.message).toContain('maxmemory-policy allkeys-lru');
      expect(error.message).toContain('Set it to noeviction');
      const told = { port, username: 'told', password: PASSWORD };
      expect((await refusal({ connection: told })).code).toBe('queue_settings');
    });

    it('warns where Redis does not tell the setting', async () => {
      const { port } = redis;
      const connection = { port, username: 'untold', password: PASSWORD, skipVersionCheck: true };
      await made({ connection }).open();
      expect(lines).toEqual([expect.stringContaining('does not report its maxmemory-policy')]);
      expect(lines.join()).not.toContain(PASSWORD);
    });

    it.each([
      [
        'and reports itself down where the user may not write',
        ['+@read', '+info'],
        /NOPERM.*lacks a right/,
      ],
      [
        'and takes jobs of a user with the rights of the guide',
        ['+@read', '+@write', '+info'],
        undefined,
      ],
    ] as const)('opens, %s', async (_, rights, refusal) => {
      const given = ['~{agent}:runs:*', '-@all', '+@connection', '+@scripting', '-@dangerous'];
      await redis.ask(
        'ACL',
        'SETUSER',
        'limited',
        'reset',
        'on',
        `>${PASSWORD}`,
        ...given,
        ...rights,
      );
      const { port } = redis;
      const runs = made({ connection: { port, username: 'limited', password: PASSWORD } });
      await runs.open();
      const checked = runs.check?.();
      if (refusal) await expect(checked).rejects.toThrow(refusal);
      else await checked;
    });

    it('says where no PostgreSQL answers, and what it refuses', async () => {
      const port = await freePort();
      const away = `postgres://agent:${PASSWORD}@127.0.0.1:${port}/any`;
      const error = await refusal({ backend: 'postgres', connection: { connectionString: away } });
      expect(error.message).toContain(`127.0.0.1:${port} cannot be reached (ECONNREFUSED)`);
      const url = new URL(databaseUrl());
      url.password = PASSWORD;
      url.pathname = '/no_such_database';
      const connection = { connectionString: url.href };
      const other = await refusal({ backend: 'postgres', connection });
      expect(other.message).toContain('(3D000)');
    });

    it('says what a user without rights in PostgreSQL needs', async () => {
      const user = `agent_${randomUUID().slice(0, 8)}`;
      await runSql(`create role ${user} login password '${PASSWORD}'`);
      closing.push(() => runSql(`drop role ${user}`));
      const url = new URL(databaseUrl());
      url.username = user;
      url.password = PASSWORD;
      const connection = { connectionString: url.href, schema: newSchemaName() };
      const error = await refusal({ backend: 'postgres', connection });
      expect(error.code).toBe('queue_settings');
      expect(error.message).toContain('runMigrations()');
      const unprepared = { ...connection, connectionString: databaseUrl(), migrate: false };
      const missing = await refusal({ backend: 'postgres', connection: unprepared });
      expect(missing.message).toContain(`no tables of BullMQ in the schema ${connection.schema}`);
    });
  });

  describe('a job that somebody else wrote', () => {
    const HOSTILE = 'canary-of-the-content';
    let prefix: string;
    let runs: RunQueue;
    let foreign: Queue;
    let delivered: RunJob[];
    const job = (): RunJob => ({ v: 1, runId: randomUUID(), sessionId: randomUUID(), attempt: 1 });

    beforeEach(async () => {
      prefix = `doors-${randomUUID()}`;
      const connection = { port: redis.port };
      runs = made({ connection, prefix, credentials: 'none' });
      await runs.open();
      foreign = new Queue('runs', { connection, prefix: `{${prefix}}` });
      closing.push(() => foreign.close());
      delivered = [];
    });

    /** Resolves when a proper job, behind all others, was delivered. */
    async function untilDelivered(): Promise<void> {
      const last = job();
      await runs.add(last, 100);
      await new Promise<void>((resolve) => {
        runs.start({
          lockMs: 60_000,
          work: (each) => {
            delivered.push(each);
            if (each.runId === last.runId) resolve();
            return Promise.resolve(undefined);
          },
        });
      });
      expect(delivered.pop()).toEqual(last);
    }

    async function untilGone(job: RunJob): Promise<void> {
      while ((await runs.missing([job])).length === 0);
    }

    it('never reaches a worker if it is malformed, and its content is not logged', async () => {
      const proper = job();
      const id = `${proper.runId}.1`;
      const malformed: readonly unknown[] = [
        HOSTILE,
        [HOSTILE],
        {},
        { ...proper, v: '1' },
        { ...proper, v: 0 },
        { ...proper, v: -1 },
        { ...proper, runId: { toString: HOSTILE } },
        { ...proper, runId: '' },
        { ...proper, runId: '\ud800' },
        { ...proper, sessionId: HOSTILE.repeat(100) },
        { ...proper, attempt: 1.5 },
        { ...proper, attempt: '1' },
        { ...proper, agent: [HOSTILE] },
        { ...proper, sealed: HOSTILE.repeat(1_000) },
        JSON.parse(`{"__proto__":${JSON.stringify(proper)}}`),
      ];
      for (const [index, data] of malformed.entries()) {
        await foreign.add('run', data, { jobId: `${id}${index}`, removeOnFail: false });
      }
      // A job under another one's id, as if it were moved.
      await foreign.add('run', proper, { jobId: `${randomUUID()}.1` });
      await foreign.add('run', proper, { jobId: '\u001b[2J\nforged' });
      await untilDelivered();
      expect(delivered).toEqual([]);
      expect(lines).toHaveLength(malformed.length + 2);
      expect(lines.join()).not.toContain(HOSTILE);
      expect(lines.join()).not.toContain('\u001b');
      for (const line of lines) expect(line).toMatch(/is malformed\. It was removed\./);
      expect(await runs.size()).toBe(0);
    });

    it('drops what is not part of a job', async () => {
      const proper = job();
      const more = { ...proper, headers: { authorization: HOSTILE }, constructor: HOSTILE };
      await foreign.add('run', more, { jobId: `${proper.runId}.1` });
      await untilDelivered();
      expect(delivered).toEqual([proper]);
    });

    it('waits for a newer worker if its version is newer', async () => {
      const newer = { ...job(), v: 2, runs: [HOSTILE] };
      await foreign.add('run', newer, { jobId: `${newer.runId}.1` });
      await untilDelivered();
      expect(delivered).toEqual([]);
      expect(await runs.missing([newer])).toEqual([]);
      expect(await foreign.getDelayedCount()).toBe(1);
      const [waiting] = await foreign.getDelayed();
      expect(waiting?.data).toEqual(newer);
      expect(waiting?.delay).toBeGreaterThan(59_000);
    });

    it('does not block a run for good by a failed job of its id', async () => {
      const proper = job();
      await foreign.add('run', HOSTILE, { jobId: `${proper.runId}.1`, removeOnFail: false });
      await untilDelivered();
      await untilGone(proper);
      await runs.add(proper, 0);
      await untilGone(proper);
      expect(delivered).toEqual([proper]);
    });
  });

  it('keeps applications with other prefixes apart, on both servers', async () => {
    const schema = newSchemaName();
    closing.push(() => dropSchema(schema));
    const backends: readonly BullmqRunsOptions[] = [
      { connection: { port: redis.port } },
      { backend: 'postgres', connection: { connectionString: databaseUrl(), schema } },
    ];
    for (const options of backends) {
      const [shop, bank] = [
        made({ ...options, prefix: 'shop' }),
        made({ ...options, prefix: 'bank' }),
      ];
      await shop.open();
      await bank.open();
      const job: RunJob = { v: 1, runId: 'a:b/ü.1', sessionId: 's', attempt: 1 };
      await shop.add(job, 0);
      expect(await shop.missing([job])).toEqual([]);
      expect(await bank.missing([job])).toEqual([job]);
      expect(await bank.size()).toBe(0);
      await shop.remove(job);
      expect(await shop.missing([job])).toEqual([job]);
    }
  });
});
