import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { runSql } from '../postgres';
import { newTag, WorkedRuns } from './worked-runs';
import { LONG_LEASE_MS, type Machine, WorkerMachines } from './worker-machines';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const COUNT = 12;

describe('two releases of an application', () => {
  let machines: WorkerMachines;
  beforeAll(async () => {
    machines = await WorkerMachines.start({ webs: ['this', 'next'] });
  });
  afterAll(() => machines.close());

  /** Those that the next release accepted. */
  const ofNext = async ({ runs }: WorkedRuns): Promise<ReadonlySet<number>> => {
    const rows = await runSql<{ readonly entry: string }>(
      `select t::text as entry from ${machines.schema}.agent_entries as t
       where t::text like '%run.queued%'`,
    );
    const newer = rows.filter(({ entry }) => /"+v"+: ?3/.test(entry));
    return new Set(
      runs.flatMap(({ runId }, index) =>
        newer.some(({ entry }) => entry.includes(runId)) ? [index] : [],
      ),
    );
  };

  /** Resolves when no run waits or is under way. */
  const ended = async (): Promise<void> => {
    const count = `select count(*) as count from ${machines.schema}.agent_queued`;
    const isOver = async () => (await runSql<{ readonly count: string }>(count))[0]?.count === '0';
    while (!(await isOver())) await delay(100);
  };

  const ROUNDS = roundsOf('mixedReleases');

  it(`run beside each other, ${ROUNDS} times, and the older one leaves what it does not know`, async () => {
    let older = await machines.worker();
    for (let round = 0; round < ROUNDS; round += 1) {
      const tag = newTag();
      const runs = await WorkedRuns.begin(machines, COUNT, { tag });
      const newer = await ofNext(runs);
      expect(newer.size).toBeGreaterThan(0);
      expect(newer.size).toBeLessThan(COUNT);
      // Those of the older release end without the newer one's worker.
      const known = runs.runs.filter((_, index) => !newer.has(index));
      await Promise.all(known.map((run) => run.toItsEnd()));
      await delay(2 * machines.leaseMs);
      const begun = machines.of('speaks', tag).map((deed) => Number(deed.tag.slice(tag.length)));
      expect(begun.filter((index) => newer.has(index))).toEqual([]);
      const next = await machines.worker({}, 'next');
      // Runs of both are taken from the older one, whether it ends in time or dies.
      const speaking = machines.next(({ by }) => by === older);
      const mixed = await WorkedRuns.begin(machines, COUNT);
      await speaking;
      await older.end(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      await ended();
      // A reader at the older web process was broken off where the newer one's entries began.
      for (const all of [runs, mixed]) await (await all.anew()).expectWhole();
      older = await machines.worker();
      await next.end('SIGTERM');
    }
  });
});

describe('a deployment', () => {
  let machines: WorkerMachines;
  beforeAll(async () => {
    machines = await WorkerMachines.start({
      webs: ['this', 'this'],
      leaseMs: LONG_LEASE_MS,
    });
  });
  afterAll(() => machines.close());

  const DRAINS = [
    { drainMs: 0, discards: 'breaks steps off, which are told anew' },
    { drainMs: 10_000, discards: 'lets steps end' },
  ];

  it.each(DRAINS)('with drainMs $drainMs $discards', async ({ drainMs }) => {
    const old = await machines.worker({ drainMs });
    const next = await machines.worker();
    const tag = newTag();
    const speaking = machines.next(
      ({ by, tag: of, step }) => by === old && of.startsWith(tag) && step === 1,
    );
    const runs = await WorkedRuns.begin(machines, COUNT, { tag, words: 40 });
    await speaking;
    await old.end('SIGTERM');
    await runs.expectWhole();
    const ends = await Promise.all(runs.runs.map((run) => run.toItsEnd()));
    const discarded = ends.filter(({ discards }) => discards > 0).length;
    if (drainMs === 0) expect(discarded).toBeGreaterThan(0);
    else expect(discarded).toBe(0);
    const spokenBy = (worker: Machine): readonly string[] =>
      machines.of('speaks', tag).flatMap((deed) => (deed.by === worker ? [deed.tag] : []));
    expect(spokenBy(old).some((run) => spokenBy(next).includes(run))).toBe(true);
    await next.end('SIGTERM');
  });

  it('replaces all web processes and workers under 30 runs, which end whole', async () => {
    const old = await Promise.all([machines.worker(), machines.worker()]);
    const tag = newTag();
    const runs = await WorkedRuns.begin(machines, 30, { tag, words: 20 });
    await Promise.all([machines.worker(), machines.worker()]);
    await machines.replaceWebs();
    for (const each of old) await each.end('SIGTERM');
    await runs.expectWhole();
  });
});
