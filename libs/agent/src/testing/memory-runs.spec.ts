import type { RunJob, RunWorker } from '../run';
import { memoryRuns } from './memory-runs';

const job = { v: 1, runId: 'run', sessionId: 'session', attempt: 1 };

/** A worker that ends its jobs with these outcomes in turn. */
function workerWith(...outcomes: readonly (number | undefined | Promise<undefined>)[]) {
  const delivered: RunJob[] = [];
  const worker: RunWorker = {
    lockMs: 10_000,
    work: async (each) => outcomes[delivered.push(each) - 1],
  };
  return { delivered, worker };
}

describe('memoryRuns()', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('delivers again by the test’s clock', async () => {
    const runs = memoryRuns();
    const { delivered, worker } = workerWith(5_000);
    runs.start(worker);
    await runs.add(job, 0);
    await jest.advanceTimersByTimeAsync(0);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(delivered).toEqual([job]);
    await jest.advanceTimersByTimeAsync(1);
    expect(delivered).toEqual([job, job]);
    expect(await runs.missing([job])).toEqual([job]);
  });

  it('gives the jobs of a killed process to others when their locks expire', async () => {
    const runs = memoryRuns();
    const dying = runs.peer({ role: 'worker' });
    dying.start(workerWith(new Promise(() => undefined)).worker);
    await runs.add(job, 0);
    await jest.advanceTimersByTimeAsync(0);
    const { delivered, worker } = workerWith();
    runs.start(worker);
    dying.kill();
    await jest.advanceTimersByTimeAsync(9_999);
    expect(delivered).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(delivered).toEqual([job]);
  });

  it('forgets everything when it is told to, delayed jobs too', async () => {
    const runs = memoryRuns();
    const { delivered, worker } = workerWith(1_000);
    runs.start(worker);
    await runs.add(job, 0);
    await jest.advanceTimersByTimeAsync(0);
    runs.lose();
    expect(await runs.missing([job])).toEqual([job]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(delivered).toHaveLength(1);
  });

  it('works on as many jobs at a time as its process may', async () => {
    const runs = memoryRuns({ concurrency: 2 });
    const never = new Promise<undefined>(() => undefined);
    const { delivered, worker } = workerWith(never, never, never);
    runs.start(worker);
    for (const attempt of [1, 2, 3]) await runs.add({ ...job, attempt }, 0);
    await jest.advanceTimersByTimeAsync(0);
    expect(delivered).toHaveLength(2);
    expect(await runs.size()).toBe(1);
  });
});
