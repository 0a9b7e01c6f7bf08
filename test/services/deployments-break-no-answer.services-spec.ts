import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from './failure-rounds';
import { Fleet, LONG_LEASE_MS } from './fleet/fleet';
import type { StreamedRun } from './fleet/streamed-run';
import { LEVEL_1, LEVEL_3 } from './fleet/topology';

jest.setTimeout(IS_THOROUGH ? 1_800_000 : 300_000);

const WORDS = 120;
const WHOLE = [...Array.from({ length: WORDS }, (_, word) => `0.${word} `), '1.0 '].join('');
const ORDERS = `say ${WORDS}, write; say 1`;
const ROUNDS = roundsOf('deployments');
const STREAMS = roundsOf('deployedStreams');
/** Streams that begin before the first process is replaced; the others come meanwhile. */
const BEFORE = Math.round(0.7 * STREAMS);
/** The last frame of a stream that ends before its run. */
const RETRY = /(^|\n\n)retry: 500\n\n$/;

/** Runs end before their process does. With workers, web processes have none, and end at once. */
const DRAIN_MS = 60_000;

describe.each([LEVEL_1, LEVEL_3])('a rolling deployment of $name', (topology) => {
  let fleet: Fleet;

  beforeEach(async () => {
    fleet = await Fleet.start(topology, { drainMs: DRAIN_MS, leaseMs: LONG_LEASE_MS });
  });

  afterEach(() => fleet.close());

  it(`lets ${ROUNDS * STREAMS} of ${ROUNDS * STREAMS} answers be read whole, and once`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tag = `round${round}`;
      const next = await Promise.all(fleet.webs.map(() => fleet.web()));
      const oldWorkers = [...fleet.workers];
      await Promise.all(oldWorkers.map(() => fleet.worker()));
      let begun = 0;
      let tellBegun: () => void = () => undefined;
      const areBegun = new Promise<void>((resolve) => (tellBegun = resolve));
      const reading = Array.from({ length: STREAMS }, async (_, index) => {
        if (index >= BEFORE) await areBegun.then(() => delay((index - BEFORE) * 100));
        const run = await fleet.run(`user-${index}`, `${tag}-${index}: ${ORDERS}`);
        begun += 1;
        if (begun === BEFORE) tellBegun();
        return { run, told: await run.toItsEnd() };
      });
      await areBegun;
      const ends: Promise<void>[] = [];
      for (const machine of next) {
        const old = fleet.webs.find((each) => !next.includes(each));
        if (old) ends.push(fleet.replace(old, machine));
        await delay(500);
      }
      for (const old of oldWorkers) ends.push(old.end('SIGTERM'));
      await Promise.all(ends);
      const runs = await Promise.all(reading);
      for (const { told } of runs) {
        expect(told).toMatchObject({ text: WHOLE, errors: [], end: { status: 'completed' } });
      }
      expect(fleet.of('writes', tag)).toHaveLength(STREAMS);
      expectGentleBreaks(runs.map(({ run }) => run));
    }
  });

  /** Streams that ended before their run ended with a whole frame. */
  function expectGentleBreaks(runs: readonly StreamedRun[]): void {
    const breaks = runs.flatMap((run) => run.breaks);
    for (const last of breaks) expect(last).toMatch(RETRY);
    if (topology.queue) expect(breaks.length).toBeGreaterThan(0);
  }
});
