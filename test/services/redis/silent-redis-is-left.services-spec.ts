import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { RunQueue } from 'nestjs-agent';
import { bullmqRuns } from 'nestjs-agent/bullmq';
import type { RunJob } from 'nestjs-agent/types';
import { SilentLine } from '../silent-line';
import { isText, Member, textOf } from './pair';
import { OwnRedis } from './server';

jest.setTimeout(60_000);

describe('a Redis whose connections fall silent, as after a failover without a word', () => {
  const prefix = `test-${randomUUID()}`;
  const warned = jest.fn();
  let redis: OwnRedis;
  let line: SilentLine;
  let url: string;

  beforeEach(async () => {
    warned.mockClear();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(warned);
    redis = await OwnRedis.start();
    line = new SilentLine(redis.url);
    url = `redis://${await line.open()}`;
  });
  afterEach(async () => {
    await line.close();
    await redis.remove();
    jest.restoreAllMocks();
  });

  it('is left by the bus for new connections', async () => {
    const [here, there] = await Member.pair(url, prefix);
    const run = await here.waiting('One, ', 'two.');
    const early = await there.reading(run.runId);
    await early.heardOf(isText);
    line.silence();
    for (const member of [here, there]) {
      while ((await member.health.check()).status === 'up') await delay(20);
      while ((await member.health.check()).status === 'down') await delay(20);
    }
    const late = await there.reading(run.runId);
    await late.heardOf(isText);
    const client = new Redis(redis.url);
    const channels = async () => String(await client.client('LIST', 'TYPE', 'PUBSUB'));
    // The server still has the earlier connections.
    while ((await channels()).trim().split('\n').length < 4) await delay(20);
    client.disconnect();
    run.goOn();
    for (const { whole } of [early, late]) expect(textOf(await whole)).toBe('One, two.');
    const lines = warned.mock.calls.flat().filter((line: string) => line.includes('cannot be'));
    expect(lines).toHaveLength(2);
    await Promise.all([here.close(), there.close()]);
  });

  it('is left by the queue and its worker', async () => {
    const { runs, added, done } = await working();
    await done(await added());
    line.silence();
    await done(await added());
    await runs.close();
  });

  /** Its address then leads to another server; old connections lead to the former primary, now a replica. */
  async function fallBack(): Promise<OwnRedis> {
    const next = await OwnRedis.start();
    line.address = next.url;
    const client = new Redis(redis.url);
    await client.replicaof('127.0.0.1', next.port);
    client.disconnect();
    return next;
  }

  it('is left by the bus if it only reads from then on', async () => {
    const [here, there] = await Member.pair(url, prefix);
    const run = await here.waiting('One, ', 'two.');
    const next = await fallBack();
    const client = new Redis(next.url);
    while ((await client.exists(`${prefix}:{${run.runId}}:at`)) === 0) await delay(20);
    client.disconnect();
    run.goOn();
    await run.finished;
    await Promise.all([here.close(), there.close()]);
    await next.remove();
  });

  it('is left by the queue and its worker if it only reads from then on, whatever rule they are given', async () => {
    const { runs, added, done } = await working({ reconnectOnError: () => false });
    await done(await added());
    const next = await fallBack();
    await done(await added());
    await runs.close();
    await next.remove();
  });

  /** A queue with a worker. */
  async function working(options: object = {}) {
    const { hostname: host, port } = new URL(url);
    const connection = { host, port: Number(port), ...options };
    const runs: RunQueue = bullmqRuns({ connection, credentials: 'none' });
    await runs.open();
    const delivered: string[] = [];
    runs.start({
      lockMs: 15_000,
      work: ({ runId }) => {
        delivered.push(runId);
        return Promise.resolve(undefined);
      },
    });
    const added = async (): Promise<string> => {
      const job: RunJob = { v: 1, runId: randomUUID(), sessionId: randomUUID(), attempt: 1 };
      while (
        await runs.add(job, 0).then(
          () => false,
          () => true,
        )
      )
        await delay(20);
      return job.runId;
    };
    const done = async (runId: string): Promise<void> => {
      while (!delivered.includes(runId)) await delay(20);
    };
    return { runs, added, done };
  }
});
