import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { monitorRedis } from './monitored-redis';
import { isText, Member, textOf } from './pair';
import { redisUrl } from './server';

jest.setTimeout(60_000);

/** Entries that an attacker with write access to Redis can store under a run's keys. */
type Attack = (redis: Redis, run: { readonly key: string; readonly runId: string }) => unknown;

const forged = (runId: string, more: object): string =>
  JSON.stringify({ v: 1, type: 'text.delta', delta: 'forged', runId, seq: 100, ...more });

/** Stores an entry in place of the next event, and announces it. */
const insert =
  (textOf: (runId: string, seq: number) => string): Attack =>
  async (redis, { key, runId }) => {
    const last = Number(await redis.hget(`${key}:at`, 'last'));
    await redis.xadd(`${key}:ev`, `${last + 1}-0`, 'e', textOf(runId, last + 1));
    await redis.hset(`${key}:at`, 'last', last + 1);
    await redis.publish(`${key}:wake`, 'x');
  };

const ATTACKS: readonly (readonly [string, Attack])[] = [
  ['an entry that is no JSON', insert(() => 'forged')],
  ['an event of another run', insert((_, seq) => forged('run_other', { seq }))],
  ['an event with another number', insert((runId) => forged(runId, {}))],
  ['an event of an unknown type', insert((runId, seq) => forged(runId, { seq, type: 'forged' }))],
  ['an event of a newer release', insert((runId, seq) => forged(runId, { seq, v: 2 }))],
  ['an event whose text is none', insert((runId, seq) => forged(runId, { seq, delta: {} }))],
  [
    'an event of 20 MB',
    insert((runId, seq) => forged(runId, { seq, delta: 'forged'.repeat(3_500_000) })),
  ],
  [
    'an entry under the highest number',
    async (redis, { key }) => {
      await redis.xadd(`${key}:ev`, '18446744073709551615-0', 'e', 'forged');
      await redis.publish(`${key}:wake`, 'x');
    },
  ],
  [
    'another type of key',
    async (redis, { key }) => {
      await redis.set(`${key}:ev`, 'forged');
      await redis.set(`${key}:at`, 'forged');
      await redis.publish(`${key}:wake`, 'x');
    },
  ],
  [
    'a state that is none',
    async (redis, { key }) => {
      await redis.hset(`${key}:at`, { last: 'forged', over: 'forged', bytes: 'x', lease: 'y' });
      await redis.publish(`${key}:wake`, 'x');
    },
  ],
  [
    'a newer lease',
    async (redis, { key }) => {
      await redis.hset(`${key}:at`, { lease: 1e15 });
    },
  ],
  [
    'an end',
    async (redis, { key }) => {
      await redis.hset(`${key}:at`, { over: 1 });
      await redis.publish(`${key}:wake`, 'x');
    },
  ],
  ['nothing at all', (redis, { key }) => redis.del(`${key}:ev`, `${key}:at`)],
  [
    'a stop, and results that nobody gave',
    async (redis, { key }) => {
      for (const signal of [
        '{"type":"stop"}',
        '{"type":"delivered","callId":"call_1"}',
        'forged',
        `"${'x'.repeat(1_000_000)}"`,
      ]) {
        for (let turn = 0; turn < 50; turn += 1) await redis.publish(`${key}:to`, signal);
      }
    },
  ],
];

describe('what Redis says', () => {
  const prefix = `test-${randomUUID()}`;
  const redis = new Redis(redisUrl());
  let here: Member;
  let there: Member;

  beforeAll(async () => {
    [here, there] = await Member.pair(redisUrl(), prefix);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    redis.disconnect();
  });

  it('stops no run and changes no text, whatever it is', async () => {
    const runs = [];
    for (const [name, attack] of ATTACKS) {
      const run = await here.waiting('One, ', 'two.');
      const reader = await there.reading(run.runId);
      await reader.heardOf(isText);
      runs.push({ name, attack, run, reader });
    }
    const ends = runs.map(async ({ name, attack, run, reader }) => {
      await attack(redis, { key: `${prefix}:{${run.runId}}`, runId: run.runId });
      const late = await there.reading(run.runId);
      // An accepted stop would end the run within this time.
      await delay(50);
      run.goOn();
      return { name, result: await run.finished, told: [await reader.whole, await late.whole] };
    });
    for (const { name, result, told } of await Promise.all(ends)) {
      const whole = { status: 'completed', message: 'One, two.' };
      expect({ name, ...result }).toMatchObject({ name, ...whole });
      for (const events of told) {
        expect({ name, text: textOf(events) }).toEqual({ name, text: 'One, two.' });
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
        expect(events.at(-1)).toMatchObject({ type: 'run.finished', ...whole });
      }
    }
  });

  it('is read within the caller’s rights alone: others ask the bus for nothing', async () => {
    const run = await here.waiting('One, ', 'two.');
    const mallory = { principal: 'mallory' };
    // The run itself has no more events.
    const stored = () => redis.xrange(`${prefix}:{${run.runId}}:ev`, '-', '+');
    while (!JSON.stringify(await stored()).includes('One, ')) await delay(5);
    const asked: string[] = [];
    const endMonitor = await monitorRedis(redisUrl(), (line) => asked.push(line));
    const refused = { code: 'run_not_found' };
    await expect(there.agent.events(run.runId, mallory)).rejects.toMatchObject(refused);
    await expect(there.agent.cancel(run.runId, mallory)).rejects.toMatchObject(refused);
    await redis.echo('afterwards');
    while (!asked.some((command) => command.includes('afterwards'))) await delay(5);
    endMonitor();
    expect(asked.filter((c) => c.includes(run.runId) && /publish|wake|xrange/i.test(c))).toEqual(
      [],
    );
    run.goOn();
    expect(await run.finished).toMatchObject({ status: 'completed' });
  });

  it('is gone some time after a run', async () => {
    const run = await here.waiting('One, ', 'two.');
    const keys = [`${prefix}:{${run.runId}}:ev`, `${prefix}:{${run.runId}}:at`] as const;
    const kept = (): Promise<readonly number[]> => Promise.all(keys.map((key) => redis.pttl(key)));
    for (const ms of await kept()) expect(ms).toBeLessThanOrEqual(9_000);
    run.goOn();
    await run.finished;
    while ((await redis.hget(keys[1], 'over')) !== '1') await delay(5);
    for (const ms of await kept()) {
      expect(ms).toBeGreaterThan(50_000);
      expect(ms).toBeLessThanOrEqual(60_000);
    }
    const entries = await redis.xrange(keys[0], '-', '+');
    expect(entries.map(([id]) => id)).toEqual(entries.map((_entry, index) => `${index + 1}-0`));
  });
});
