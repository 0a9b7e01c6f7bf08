import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import type { Deed } from '../fleet/deed';
import { JOURNAL_POINTS } from '../fleet/dying-store';
import { Fleet } from '../fleet/fleet';
import { Supervisor } from '../fleet/supervisor';
import { LEVEL_3 } from '../fleet/topology';
import { newTag, WorkedRuns } from '../fleet/worked-runs';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

interface Point {
  readonly name: string;
  readonly fits: (deed: Deed) => boolean;
  readonly afterMs: number;
}

const IN_A_STEP: Point = {
  name: 'in a model step',
  fits: ({ kind, step }) => kind === 'speaks' && step === 1,
  afterMs: 20,
};
const IN_A_WRITE: Point = {
  name: 'in a write',
  fits: ({ kind }) => kind === 'writes',
  afterMs: 60,
};
const IN_A_PUT: Point = { name: 'in a put', fits: ({ kind }) => kind === 'puts', afterMs: 60 };

describe('a worker that dies or stands still', () => {
  let fleet: Fleet;
  let supervisor: Supervisor;

  /** The supervisor keeps this number of workers running. */
  const keep = (count: number, concurrency: number): void => {
    supervisor = new Supervisor(() => fleet.worker({ concurrency }));
    for (let lane = 0; lane < count; lane += 1) supervisor.keep();
  };

  beforeAll(async () => {
    fleet = await Fleet.start({ ...LEVEL_3, workers: 0 });
  });
  afterEach(() => supervisor.close());
  afterAll(() => fleet.close());

  const ROUNDS = roundsOf('kills');

  it(`is replaced, ${ROUNDS} times at each of 12 points of a journal, and writes nothing twice`, async () => {
    expect(JOURNAL_POINTS).toHaveLength(12);
    // One run each: a worker killed at another run's point would skip this one's.
    keep(4, 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      const runs = await Promise.all(
        JOURNAL_POINTS.map(async (point) => ({
          point,
          runs: await WorkedRuns.begin(fleet, 1, { words: 2, more: `; die ${point}` }),
        })),
      );
      await Promise.all(runs.map(({ runs: each }) => each.expectWhole()));
      for (const { point, runs: each } of runs) await expectDeath(each.tag, point);
    }
  });

  /** One worker died in the run, at this point. */
  async function expectDeath(tag: string, point: string): Promise<void> {
    const [death, ...others] = fleet.of('dies', tag);
    expect(others).toEqual([]);
    expect(death?.point).toBe(point);
    expect(await death?.by.ended()).toBe('SIGKILL');
    const last = fleet.deeds.findLast(({ by }) => by === death?.by);
    expect(last === death).toBe(true);
  }

  it.each([IN_A_STEP, IN_A_WRITE])('writes nothing twice if it is killed $name', async (point) => {
    keep(2, 6);
    const tag = newTag();
    const reached = fleet.next((deed) => deed.tag.startsWith(tag) && point.fits(deed));
    const runs = await WorkedRuns.begin(fleet, 12, { tag });
    const { by } = await reached;
    await delay(point.afterMs);
    await by.end('SIGKILL');
    await runs.expectWhole();
  });

  it('repeats an idempotent call under the same key if it is killed in it', async () => {
    keep(2, 6);
    const tag = newTag();
    const reached = fleet.next((deed) => deed.tag.startsWith(tag) && IN_A_PUT.fits(deed));
    const runs = await Promise.all(
      ['ann', 'ben', 'cid'].map((user) => fleet.run(user, `${tag}${user}: put; say 1`)),
    );
    const { by } = await reached;
    await delay(IN_A_PUT.afterMs);
    await by.end('SIGKILL');
    for (const run of runs) {
      expect(await run.toItsEnd()).toMatchObject({ errors: [], end: { status: 'completed' } });
    }
    const puts = fleet.of('puts', tag);
    const broken = puts.filter((put) => put.by === by);
    const repeated = broken.filter((put) => {
      const [first, second] = puts.filter((each) => each.tag === put.tag);
      expect(first?.key).toMatch(/./);
      expect(second?.key ?? first?.key).toBe(first?.key);
      return second !== undefined && second.by !== by;
    });
    expect(repeated.length).toBeGreaterThan(0);
    const keys = new Set(puts.map(({ key }) => key));
    expect(keys.size).toBe(runs.length);
  });

  const PAUSES = roundsOf('pauses');

  it(`writes nothing twice if it is paused over its lease, ${PAUSES} times`, async () => {
    keep(2, 6);
    for (let round = 0; round < PAUSES; round += 1) {
      const { fits, afterMs } = round % 2 === 0 ? IN_A_STEP : IN_A_WRITE;
      const tag = newTag();
      const reached = fleet.next((deed) => deed.tag.startsWith(tag) && fits(deed));
      const runs = await WorkedRuns.begin(fleet, IS_THOROUGH ? 4 : 6, { tag });
      const { by } = await reached;
      await delay(afterMs);
      by.signal('SIGSTOP');
      await runs.expectWhole();
      by.signal('SIGCONT');
      // It resumes and finds that it has lost the sessions.
      await delay(fleet.leaseMs / 2);
      await Promise.all(runs.runs.map((run) => run.again()));
      runs.expectOnce();
    }
  });
});
