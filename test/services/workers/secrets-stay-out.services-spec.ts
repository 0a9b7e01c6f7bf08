import { Redis } from 'ioredis';
import type { SseStream } from '../../http/sse-client';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { runSql } from '../postgres';
import { monitorRedis } from '../redis/monitored-redis';
import { CANARY, linesWith } from '../fleet/canary';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import type { Machine } from '../fleet/machine';
import { LEVEL_2, LEVEL_3, QUEUE_IN_POSTGRES } from '../fleet/topology';
import { newTag } from '../fleet/worked-runs';
import { dumpedRedis, dumpedSchema } from './dump';

jest.setTimeout(IS_THOROUGH ? 1_200_000 : 120_000);

const RUNS = roundsOf('secretRuns');
/** The number of messages sent concurrently. */
const AT_ONCE = 100;
const WAITING = 5;
/** Values that the search must find. */
const PROOF = 'sought-and-found';

/** The places that store parts of runs. */
const KINDS = [
  ['no queue', LEVEL_2],
  ['a queue on Redis', LEVEL_3],
  ['a queue on PostgreSQL', QUEUE_IN_POSTGRES],
] as const;

describe.each(KINDS)('with %s', (_, topology) => {
  const hasQueue = topology.queue !== undefined;
  const hasRedis = topology.bus !== undefined;
  let fleet: Fleet;
  let redis: Redis | undefined;
  let endMonitor: (() => void) | undefined;
  /** All commands that Redis received, including messages between processes. */
  const told: string[] = [];

  beforeAll(async () => {
    fleet = await Fleet.start({ ...topology, webs: 1, workers: 0 }, { leaseMs: LONG_LEASE_MS });
    if (hasRedis) {
      redis = new Redis(fleet.redis.url);
      endMonitor = await monitorRedis(fleet.redis.url, (line) => told.push(line));
    }
  });
  afterAll(async () => {
    endMonitor?.();
    redis?.disconnect();
    await fleet.close();
  });

  const stream = async (message: string): Promise<SseStream> => {
    const opened = await fleet.stream('ann', { message });
    await opened.next('run.started');
    return opened;
  };

  const post = async (path: string, body: object) =>
    (await fleet.request('ann', 'POST', path, body)).body;

  /** The current content of each place. */
  const places = async () => {
    const isAudit = (line: string): boolean => line.startsWith('audit ');
    return {
      store: await stored(),
      logs: fleet.logs.filter((line) => !isAudit(line)),
      audit: fleet.logs.filter(isAudit),
      ...(redis && { redis: await dumpedRedis(redis), told }),
      ...(hasQueue && !hasRedis && { jobs: await dumpedSchema(`${fleet.schema}_jobs`) }),
    };
  };

  const found = async (word: string): Promise<Record<string, readonly string[]>> =>
    Object.fromEntries(
      Object.entries(await places()).map(([place, lines]) => [place, linesWith(word, lines)]),
    );

  const expectNothing = async (): Promise<void> => {
    for (const [place, lines] of Object.entries(await found(CANARY))) {
      expect({ place, lines }).toEqual({ place, lines: [] });
    }
  };

  const stored = (): Promise<readonly string[]> => dumpedSchema(fleet.schema);

  const queued = async (): Promise<readonly string[]> =>
    (await stored()).filter((line) => line.startsWith('agent_queued'));

  it('is searched so that a word is found in each place', async () => {
    const worker = hasQueue ? await fleet.worker() : undefined;
    // A run's tag appears in the store, the bus, the audit and the log, on both outputs.
    const events = await (await stream(`${PROOF}: look; shout`)).all();
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
    // Jobs hold no words of a run.
    if (hasQueue && !hasRedis) {
      await runSql(
        `insert into ${fleet.schema}_jobs.meta (queue, field, value) values ('a', 'b', $1)`,
        [`xx${Buffer.from(`x${PROOF}x`).toString('base64')}`],
      );
    } else {
      await redis?.hset('{agent}:runs:any', 'data', Buffer.from(PROOF).toString('hex'));
    }
    for (const [place, lines] of Object.entries(await found(PROOF))) {
      expect({ place, isFound: lines.length > 0 }).toEqual({ place, isFound: true });
    }
    const lines = fleet.logs.filter((line) => line.includes(PROOF));
    for (const level of ['VERBOSE', 'ERROR']) {
      expect(lines.some((line) => line.includes(` ${level} `))).toBe(true);
    }
    await worker?.end('SIGTERM');
  });

  it('is told and keeps no header, cookie, token, claim or preset value while runs are queued, run and wait', async () => {
    const tag = newTag();
    const streams: SseStream[] = [];
    const workers: Machine[] = [];
    for (let count = 0; count < RUNS; count += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, RUNS - count) }, (_, index) =>
        stream(`${tag}${count + index}: look; unlock; write; say 20`),
      );
      streams.push(...(await Promise.all(some)));
    }
    if (hasQueue) {
      expect(await queued()).toHaveLength(RUNS);
      const { redis: keys = [], jobs: rows = [] } = await places();
      const isJob = (line: string): boolean => /^(\{agent\}:runs:run_\S+\.\d|job) /.test(line);
      expect([...keys, ...rows].filter(isJob)).toHaveLength(RUNS);
      await expectNothing();
      workers.push(await fleet.worker());
      await fleet.next(({ kind }) => kind === 'wrote');
    }
    // Some are under way.
    expect(linesWith('run.finished', await stored()).length).toBeLessThan(RUNS);
    await expectNothing();
    const events = await Promise.all(streams.map((each) => each.all()));
    for (const each of events) expect(each.at(-1)).toMatchObject({ status: 'completed' });
    expect(fleet.of('wrote', tag)).toHaveLength(RUNS);
    // A slow worker's successor reads again.
    for (const kind of ['looks', 'unlocks'] as const) {
      expect(new Set(fleet.of(kind, tag).map((deed) => deed.tag)).size).toBe(RUNS);
    }
    const waiting = await Promise.all(
      Array.from({ length: WAITING }, () => post('/chat', { message: `${tag}w: unlock; remove` })),
    );
    for (const { status } of waiting) expect(status).toBe('requires_action');
    expect(await queued()).toEqual([]);
    await expectNothing();
    const ends = await Promise.all(
      waiting.map(({ runId, pendingActions }) => {
        const actions = [{ callId: pendingActions[0]?.callId, type: 'approve' }];
        return post(`/runs/${runId}/actions`, { actions });
      }),
    );
    for (const { status } of ends) expect(status).toBe('completed');
    for (const process of [...fleet.webs, ...workers]) await process.end('SIGTERM');
    await expectNothing();
    const { audit, logs } = await places();
    expect(linesWith('"tool":"unlock"', audit)).toHaveLength(RUNS + WAITING);
    expect(linesWith(tag, logs).length).toBeGreaterThan(RUNS);
    if (redis) expect(linesWith('the key fits', told).length).toBeGreaterThan(0);
  });
});
