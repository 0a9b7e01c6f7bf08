import { testGlobals } from '../test-globals';
import { newJob, type QueueUnderTest } from './queue-under-test';
import { TestWorker } from './test-worker';

/** Long enough that no job is delivered again while others before it end. */
const LOCK_MS = 60_000;

export function describeOrder(under: QueueUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('order', () => {
    it('follows the priorities, and the order of adding for equal ones', async () => {
      const priorities = [5, 0, 1_000_000_000, 1, 5, 0, 2];
      const jobs = priorities.map((priority) => newJob({ sessionId: String(priority) }));
      for (const job of jobs) await under.queue.add(job, Number(job.sessionId));
      const expected = jobs.toSorted((a, b) => Number(a.sessionId) - Number(b.sessionId));
      expect(await under.working(under.queue, new TestWorker(LOCK_MS)).finish(jobs.length)).toEqual(
        expected,
      );
    });

    it('lets ten principals overtake a hundred jobs of another one', async () => {
      const many = Array.from({ length: 100 }, () => newJob({ sessionId: 'many' }));
      const others = Array.from({ length: 10 }, () => newJob({ sessionId: 'other' }));
      for (const [unfinished, job] of many.entries()) await under.queue.add(job, unfinished);
      for (const job of others) await under.queue.add(job, 0);
      const jobs = await under
        .working(under.queue, new TestWorker(LOCK_MS))
        .finish(many.length + others.length);
      const places = jobs.flatMap(({ sessionId }, place) => (sessionId === 'other' ? [place] : []));
      expect(places).toHaveLength(others.length);
      expect(20 - Math.max(...places)).toBeGreaterThan(0);
    });
  });
}
