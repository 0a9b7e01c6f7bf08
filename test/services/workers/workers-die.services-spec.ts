import { setTimeout as delay } from 'node:timers/promises';
import { IS_THOROUGH, roundsOf } from '../failure-rounds';
import { JOURNAL_POINTS } from './dying-store';
import { newTag, WorkedRuns } from './worked-runs';
import type { Deed } from './worker-application';
import { type Machine, WorkerMachines } from './worker-machines';

jest.setTimeout(IS_THOROUGH ? 3_600_000 : 300_000);

const WORKERS = 2;

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

describe('a worker that dies or stands still', () => {
  let machines: WorkerMachines;
  const workers = new Set<Machine>();
  let isOver = false;
  const restarts: Promise<void>[] = [];

  /** Puts another worker in the place of each that dies, as an orchestrator does. */
  const supervise = async (): Promise<void> => {
    while (!isOver) {
      const worker = await machines.worker({ concurrency: 6 });
      workers.add(worker);
      await worker.ended();
      workers.delete(worker);
    }
  };

  beforeAll(async () => {
    machines = await WorkerMachines.start({ webs: ['this', 'this'] });
    for (let count = 0; count < WORKERS; count += 1) restarts.push(supervise());
  });
  afterAll(async () => {
    isOver = true;
    for (const worker of workers) await worker.end('SIGKILL');
    await Promise.all(restarts);
    await machines.close();
  });

  const ROUNDS = roundsOf('kills');

  it(`is replaced, ${ROUNDS} times at each of 12 points of a journal, and writes nothing twice`, async () => {
    expect(JOURNAL_POINTS).toHaveLength(12);
    for (let round = 0; round < ROUNDS; round += 1) {
      const runs = await Promise.all(
        JOURNAL_POINTS.map((point) =>
          WorkedRuns.begin(machines, 1, { words: 2, more: `; die ${point}` }),
        ),
      );
      await Promise.all(runs.map((each) => each.expectWhole()));
      // A run passes its point without a death of its own if another's kills the worker right there.
      expect(machines.deaths()).toBeGreaterThan(0.75 * (round + 1) * JOURNAL_POINTS.length);
    }
  });

  it.each([IN_A_STEP, IN_A_WRITE])('writes nothing twice if it is killed $name', async (point) => {
    const tag = newTag();
    const reached = machines.next((deed) => deed.tag.startsWith(tag) && point.fits(deed));
    const runs = await WorkedRuns.begin(machines, 12, { tag });
    const { by } = await reached;
    await delay(point.afterMs);
    await by.end('SIGKILL');
    await runs.expectWhole();
  });

  const PAUSES = roundsOf('pauses');

  it(`writes nothing twice if it is paused over its lease, ${PAUSES} times`, async () => {
    for (let round = 0; round < PAUSES; round += 1) {
      const { fits, afterMs } = round % 2 === 0 ? IN_A_STEP : IN_A_WRITE;
      const tag = newTag();
      const reached = machines.next((deed) => deed.tag.startsWith(tag) && fits(deed));
      const runs = await WorkedRuns.begin(machines, IS_THOROUGH ? 4 : 6, { tag });
      const { by } = await reached;
      await delay(afterMs);
      by.signal('SIGSTOP');
      await runs.expectWhole();
      by.signal('SIGCONT');
      // It goes on where it was, and finds that it has lost the sessions.
      await delay(machines.leaseMs / 2);
      await Promise.all(runs.runs.map((run) => run.again()));
      runs.expectOnce();
    }
  });
});
