import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { roundsOf } from '../failure-rounds';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import { LEVEL_2 } from '../fleet/topology';
import { isText, Member, textOf } from './pair';
import { OwnRedis } from './server';

const OUTAGES = roundsOf('redisOutages');
/** Half a second per step, and much longer on a busy machine. */
jest.setTimeout(60_000 + OUTAGES * 10_000);

/** Above a third of a lease and a second; far below any time-out of HTTP. */
const AS_WITHOUT_REDIS_MS = 3_500;

describe('a Redis that goes away', () => {
  const prefix = `test-${randomUUID()}`;
  let redis: OwnRedis;
  let here: Member;
  let there: Member;

  beforeAll(async () => {
    redis = await OwnRedis.start();
    [here, there] = await Member.pair(redis.url, prefix);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await redis.remove();
  });

  /** Resolves once the bus works again. */
  async function back(): Promise<void> {
    for (const member of [here, there]) {
      while ((await member.health.check()).status === 'down') await delay(20);
    }
  }

  async function timed(work: Promise<unknown>): Promise<number> {
    const begin = performance.now();
    await work;
    return performance.now() - begin;
  }

  it.each<[string, () => unknown]>([
    ['killed', () => redis.kill()],
    ['paused', () => redis.pause()],
  ])('%s: costs a reader and a stop some time, and a request none', async (_, remove) => {
    const [run, other] = [await here.waiting('One, ', 'two.'), await here.waiting('Three, ', '')];
    const reader = await there.reading(run.runId);
    await reader.heardOf(isText);
    await remove();
    const begun = timed(here.waiting('Four', '').then(({ goOn, finished }) => (goOn(), finished)));
    const stopped = timed(there.agent.cancel(other.runId, { principal: 'alice' }));
    expect(await there.health.check()).toMatchObject({
      status: 'down',
      store: { status: 'up' },
      bus: { status: 'down', message: 'Redis cannot be reached.' },
    });
    run.goOn();
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'One, two.' });
    expect(textOf(await reader.whole)).toBe('One, two.');
    expect(await begun).toBeLessThan(1_000);
    expect(await stopped).toBeLessThan(AS_WITHOUT_REDIS_MS);
    expect(await other.finished).toMatchObject({ status: 'cancelled' });
    await redis.kill();
    await redis.start();
    await back();
  });

  it('emptied: is told of a run from then on, and its readers hear each event once', async () => {
    const run = await here.waiting('One, ', 'two.');
    const reader = await there.reading(run.runId);
    await reader.heardOf(isText);
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    const late = await there.reading(run.runId);
    run.goOn();
    for (const events of [await reader.whole, await late.whole]) {
      expect(textOf(events)).toBe('One, two.');
      expect(events.map(({ seq }) => seq)).toEqual(events.map((__, index) => index + 1));
    }
  });

  it('paused while more than 1 000 events come: is left out, and readers have them from the store', async () => {
    const [near, far] = await Member.pair(redis.url, `${prefix}-many`, { flushMs: 0 });
    const words = Array.from({ length: 1_500 }, (_, word) => `${word} `);
    const run = await near.waiting('Well: ', ...words);
    const reader = await far.reading(run.runId);
    await reader.heardOf(isText);
    redis.pause();
    run.goOn();
    expect(await run.finished).toMatchObject({ status: 'completed' });
    const late = await far.reading(run.runId);
    for (const events of [await reader.whole, await late.whole]) {
      expect(textOf(events)).toBe(`Well: ${words.join('')}`);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((__, index) => index + 1));
    }
    redis.goOn();
    await Promise.all([near.close(), far.close()]);
    const client = new Redis(redis.url);
    const kept = await client.xlen(`${prefix}-many:{${run.runId}}:ev`);
    client.disconnect();
    expect(kept).toBeLessThan(1_000);
  });

  it('back, and refusing the channels of before: ends no process', async () => {
    const run = await here.waiting('One, ', 'two.');
    const client = new Redis(redis.url);
    await client.call('ACL', 'SETUSER', 'default', '-subscribe');
    await client.client('KILL', 'TYPE', 'PUBSUB');
    while (!JSON.stringify(await client.call('ACL', 'LOG')).includes('subscribe')) await delay(5);
    await client.call('ACL', 'SETUSER', 'default', '+subscribe');
    client.disconnect();
    run.goOn();
    expect(await run.finished).toMatchObject({ status: 'completed', message: 'One, two.' });
  });

  it('full: refuses what is sent, and runs and readers go on', async () => {
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory', '1mb');
    const run = await here.waiting('One, ', 'two.');
    const reader = await there.reading(run.runId);
    run.goOn();
    expect(textOf(await reader.whole)).toBe('One, two.');
    const message = 'Redis refuses messages (OOM).';
    expect(await there.health.check()).toMatchObject({ bus: { status: 'down', message } });
    await client.config('SET', 'maxmemory', '0');
    expect(await there.health.check()).toMatchObject({ bus: { status: 'up' } });
    client.disconnect();
  });
});

describe(`a Redis that is killed and starts empty ${OUTAGES} times`, () => {
  it('loses no run and no word of one, wherever its readers are', async () => {
    const fleet = await Fleet.start(LEVEL_2, { leaseMs: LONG_LEASE_MS });
    const { redis } = fleet;
    let isOver = false;
    const turns = Array.from({ length: 8 }, async (_, index) => {
      const user = `user-${index}`;
      const runs = [];
      while (!isOver) {
        const stream = await fleet.stream(user, { message: `outage-${index}: say 60` });
        const { runId } = await stream.next('run.started');
        const [reader, late] = [
          await fleet.events(user, runId, 0),
          await stream.next('text.delta').then(({ seq }) => fleet.events(user, runId, seq)),
        ];
        const told = await stream.all();
        const before = told.findIndex(isText) + 1;
        runs.push({ told, read: await reader.all(), rest: await late.all(), before });
      }
      return runs;
    });
    try {
      for (let outage = 0; outage < OUTAGES; outage += 1) {
        await delay(300);
        await redis.kill();
        await delay(100);
        await redis.start();
      }
    } finally {
      isOver = true;
    }
    const runs = (await Promise.all(turns)).flat();
    const text = Array.from({ length: 60 }, (_, word) => `0.${word} `).join('');
    expect(runs.length).toBeGreaterThanOrEqual(turns.length);
    for (const { told, read, rest, before } of runs) {
      expect(textOf(told)).toBe(text);
      expect(told.at(-1)).toMatchObject({ status: 'completed' });
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1));
      expect(read).toEqual(told);
      expect(rest).toEqual(told.slice(before));
    }
    await fleet.close();
  });
});
