import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { RunQueue } from 'nestjs-agent';
import { bullmqRuns, type BullmqRunsOptions } from 'nestjs-agent/bullmq';
import type { RunJob } from 'nestjs-agent/types';
import { databaseUrl, dropSchema, newSchemaName } from '../postgres';
import { CuttableLine } from './cuttable-line';
import { OwnRedis } from './own-redis';
import { WorkerProcess } from './worker.process';

const LOCK_MS = 1_000;
/** The requester of a new run waits for this. */
const PROMPT_MS = 1_000;

function newJob(): RunJob {
  return { v: 1, runId: randomUUID(), sessionId: randomUUID(), attempt: 1 };
}

/** Adds a job as soon as the server is back. */
async function added(runs: RunQueue, job: RunJob): Promise<void> {
  for (;;) {
    const done = await runs.add(job, 0).then(
      () => true,
      () => false,
    );
    if (done) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('bullmqRuns in outages', () => {
  let redis: OwnRedis;
  const closing: (() => unknown)[] = [];
  const log = { error: jest.fn(), warn: jest.fn(), log: jest.fn() };

  beforeEach(async () => {
    redis = await OwnRedis.start();
    closing.push(() => redis.kill());
    for (const level of ['error', 'warn', 'log'] as const) {
      log[level].mockClear();
      jest.spyOn(Logger.prototype, level).mockImplementation(log[level]);
    }
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    jest.restoreAllMocks();
  });

  const onRedis = (more: { port?: number; role?: 'web' | 'worker' } = {}): BullmqRunsOptions => ({
    connection: { host: '127.0.0.1', port: more.port ?? redis.port },
    ...(more.role && { role: more.role }),
    credentials: 'none',
  });

  async function opened(options: BullmqRunsOptions) {
    const runs = bullmqRuns(options);
    closing.push(() => runs.close());
    await runs.open();
    return runs;
  }

  /** A worker of this process, whose deliveries can be waited for. */
  function working(runs: ReturnType<typeof bullmqRuns>) {
    const delivered: string[] = [];
    let arrived = (): void => undefined;
    runs.start({
      lockMs: LOCK_MS,
      work: ({ runId }) => {
        delivered.push(runId);
        arrived();
        return Promise.resolve(undefined);
      },
    });
    return async (runId: string): Promise<void> => {
      while (!delivered.includes(runId)) await new Promise<void>((resolve) => (arrived = resolve));
    };
  }

  const servers: readonly [string, () => BullmqRunsOptions][] = [
    ['Redis', () => onRedis()],
    [
      'PostgreSQL',
      () => {
        const schema = newSchemaName();
        closing.push(() => dropSchema(schema));
        const connection = { connectionString: databaseUrl(), schema };
        return { backend: 'postgres', connection, credentials: 'none' };
      },
    ],
  ];

  it.each(servers)('gives the job of a killed process to another one, on %s', async (_, make) => {
    const options = make();
    const runs = await opened(options);
    const worker = new WorkerProcess({ ...options, role: 'worker' }, LOCK_MS);
    closing.push(() => worker.kill());
    const job = newJob();
    await runs.add(job, 0);
    expect(await worker.line()).toBe(job.runId);
    const arrival = working(runs);
    await worker.kill();
    const since = Date.now();
    await arrival(job.runId);
    expect(Date.now() - since).toBeLessThan(4 * LOCK_MS);
  });

  it('loses no job silently when Redis dies and comes back empty', async () => {
    const web = await opened(onRedis({ role: 'web' }));
    const worker = await opened(onRedis({ role: 'worker' }));
    const jobs = [newJob(), newJob(), newJob()];
    for (const job of jobs) await web.add(job, 0);
    expect(await web.missing(jobs)).toEqual([]);
    const arrival = working(worker);
    for (const job of jobs) await arrival(job.runId);

    await redis.kill();
    for (let attempt = 0; attempt < 3; attempt++) {
      const since = Date.now();
      await expect(web.add(newJob(), 0)).rejects.toMatchObject({ code: 'queue_unavailable' });
      await expect(web.missing(jobs)).rejects.toMatchObject({ code: 'queue_unavailable' });
      await expect(web.check()).rejects.toThrow(`127.0.0.1:${redis.port}`);
      expect(Date.now() - since).toBeLessThan(PROMPT_MS);
    }

    await redis.up();
    const late = newJob();
    await added(web, late);
    await arrival(late.runId);
    expect(await web.missing(jobs)).toEqual(jobs);
    for (const job of jobs) await web.add({ ...job, attempt: 2 }, 0);
    await web.check();
  });

  it('writes one line when the server is gone, and one when it is back', async () => {
    const line = await CuttableLine.to('127.0.0.1', redis.port);
    closing.push(() => line.close());
    const runs = await opened(onRedis({ port: line.port }));
    const arrival = working(runs);
    await runs.add(newJob(), 0);
    line.cut();
    const tries = Array.from({ length: 50 }, () => runs.add(newJob(), 0).catch(() => undefined));
    await Promise.all(tries);
    // The third refused connection of the worker: all of them are one outage.
    await line.refused(3);
    expect(log.error.mock.calls).toEqual([[expect.stringMatching(/127\.0\.0\.1:\d+ cannot be/)]]);
    line.mend();
    const back = new Promise<void>((resolve) => {
      log.log.mockImplementation((text: string) => text.includes('answers again') && resolve());
    });
    const job = newJob();
    await added(runs, job);
    await Promise.all([back, arrival(job.runId)]);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('pauses its worker where Redis is full, and writes one line', async () => {
    const runs = await opened(onRedis());
    const arrival = working(runs);
    const warned = new Promise<void>((resolve) => log.warn.mockImplementation(() => resolve()));
    await redis.ask('CONFIG', 'SET', 'maxmemory', '1');
    await expect(runs.add(newJob(), 0)).rejects.toThrow('failed (OOM). Redis is full: raise its');
    await expect(runs.check()).rejects.toThrow('failed (OOM)');
    await warned;
    await redis.ask('CONFIG', 'RESETSTAT');
    const before = Date.now();
    await expect(runs.add(newJob(), 0)).rejects.toThrow('failed (OOM)');
    const stats = await redis.ask('INFO', 'stats');
    const commands = Number(/total_commands_processed:(\d+)/.exec(stats)?.[1]);
    expect(commands).toBeLessThan(50 + (Date.now() - before));
    await redis.ask('CONFIG', 'SET', 'maxmemory', '0');
    await runs.check();
    const job = newJob();
    await runs.add(job, 0);
    await arrival(job.runId);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });

  it('closes in time while Redis is gone, and its process ends by itself', async () => {
    const web = await opened(onRedis({ role: 'web' }));
    const worker = new WorkerProcess(onRedis(), LOCK_MS, 'close on input');
    closing.push(() => worker.kill());
    const job = newJob();
    await web.add(job, 0);
    expect(await worker.line()).toBe(job.runId);
    await redis.kill();
    const since = Date.now();
    worker.input();
    expect(await worker.line()).toBe('closed');
    expect(await worker.ended()).toBe(0);
    expect(Date.now() - since).toBeLessThan(10_000);
  });
});
