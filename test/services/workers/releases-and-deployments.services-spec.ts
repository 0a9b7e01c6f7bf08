import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { runSql } from '../postgres';
import { Fleet, LONG_LEASE_MS } from '../fleet/fleet';
import type { Machine } from '../fleet/machine';
import { LEVEL_3 } from '../fleet/topology';
import { newTag, WorkedRuns } from '../fleet/worked-runs';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const COUNT = 12;

describe('two releases of an application', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start({ ...LEVEL_3, workers: 0 }, { releases: ['this', 'next', 'this'] });
  });
  afterAll(() => fleet.close());

  /** The runs that the next release accepted. */
  const ofNext = async ({ runs }: WorkedRuns): Promise<ReadonlySet<number>> => {
    const rows = await runSql<{ readonly entry: string }>(
      `select t::text as entry from ${fleet.schema}.agent_entries as t
       where t::text like '%run.queued%'`,
    );
    const newer = rows.filter(({ entry }) => /"+v"+: ?2/.test(entry));
    return new Set(
      runs.flatMap(({ runId }, index) =>
        newer.some(({ entry }) => entry.includes(runId)) ? [index] : [],
      ),
    );
  };

  /** Resolves when no run waits or is under way. */
  const ended = async (): Promise<void> => {
    const count = `select count(*) as count from ${fleet.schema}.agent_queued`;
    const isOver = async () => (await runSql<{ readonly count: string }>(count))[0]?.count === '0';
    while (!(await isOver())) await delay(100);
  };

  const ROUNDS = roundsOf('mixedReleases');

  it(`run beside each other, ${ROUNDS} times, and the older one leaves what it does not know`, async () => {
    let older = await fleet.worker();
    for (let round = 0; round < ROUNDS; round += 1) {
      const tag = newTag();
      const runs = await WorkedRuns.begin(fleet, COUNT, { tag });
      const newer = await ofNext(runs);
      expect(newer.size).toBeGreaterThan(0);
      expect(newer.size).toBeLessThan(COUNT);
      // Runs of the older release end without the newer release's worker.
      const known = runs.runs.filter((_, index) => !newer.has(index));
      await Promise.all(known.map((run) => run.toItsEnd()));
      await delay(2 * fleet.leaseMs);
      const begun = fleet.of('speaks', tag).map((deed) => Number(deed.tag.slice(tag.length)));
      expect(begun.filter((index) => newer.has(index))).toEqual([]);
      const next = await fleet.worker({}, 'next');
      // Runs of both are taken over from the older worker, whether it stops or dies.
      const speaking = fleet.next(({ by }) => by === older);
      const mixed = await WorkedRuns.begin(fleet, COUNT);
      await speaking;
      await older.end(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await ended();
      // A reader at an older web process is broken off where the newer one's entries begin, and goes
      // on at another.
      await Promise.all([runs, mixed].map((all) => all.expectWhole()));
      older = await fleet.worker();
      await next.end('SIGTERM');
    }
  });
});

describe('a deployment', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start({ ...LEVEL_3, workers: 0 }, { leaseMs: LONG_LEASE_MS });
  });
  afterAll(() => fleet.close());

  const DRAINS = [
    { drainMs: 0, discards: 'breaks steps off, which are told anew' },
    { drainMs: 10_000, discards: 'lets steps end' },
  ];

  it.each(DRAINS)('with drainMs $drainMs $discards', async ({ drainMs }) => {
    const old = await fleet.worker({ drainMs });
    const next = await fleet.worker();
    const tag = newTag();
    const speaking = fleet.next(
      ({ by, tag: of, step }) => by === old && of.startsWith(tag) && step === 1,
    );
    const runs = await WorkedRuns.begin(fleet, COUNT, { tag, words: 40 });
    await speaking;
    await old.end('SIGTERM');
    await runs.expectWhole();
    const ends = await Promise.all(runs.runs.map((run) => run.toItsEnd()));
    const discarded = ends.filter(({ discards }) => discards > 0).length;
    if (drainMs === 0) expect(discarded).toBeGreaterThan(0);
    else expect(discarded).toBe(0);
    const spokenBy = (worker: Machine): readonly string[] =>
      fleet.of('speaks', tag).flatMap((deed) => (deed.by === worker ? [deed.tag] : []));
    expect(spokenBy(old).some((run) => spokenBy(next).includes(run))).toBe(true);
    await next.end('SIGTERM');
  });

  it.each(['before', 'after'])(
    'starts no call that was about to start: its process is stopped %s it is stored as started',
    async (when) => {
      const old = await fleet.worker({ drainMs: 0 });
      const tag = newTag();
      const waits = fleet.next((deed) => deed.tag === `${tag}waits`);
      const waiting = await fleet.run('ben', `${tag}waits: wait`);
      await waits;
      const run = await fleet.run('ann', `${tag}: write stop ${when} call.started; say 1`);
      await old.ended();
      const next = await fleet.worker();
      const { events, text, end } = await run.toItsEnd();
      expect(events.filter(({ type }) => type === 'tool.result')).toMatchObject([
        { output: 'The call was cancelled before it started. It had no effect.' },
      ]);
      expect({ text, status: end.status }).toEqual({ text: '0.0 1.0 ', status: 'completed' });
      expect(fleet.of('writes', tag)).toEqual([]);
      await fleet.request('ben', 'DELETE', `/runs/${waiting.runId}`);
      await next.end('SIGTERM');
    },
  );
});
