import { becomes } from '../patience';
import { testGlobals } from '../test-globals';
import { newJob, type QueueUnderTest } from './queue-under-test';

const HOUR_MS = 3_600_000;

export function describeStopping(under: QueueUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('stopping', () => {
    it('drains: waits for the active job, and accepts no more', async () => {
      const [first, second] = [newJob(), newJob()];
      const worker = under.working();
      await under.queue.add(first, 0);
      const held = await worker.next();
      const order: string[] = [];
      const drained = under.queue.drain().then(() => order.push('drained'));
      const other = await under.peer();
      await other.add(second, 0);
      expect(await under.working(other).finish(1)).toEqual([second]);
      order.push('ended');
      held.end();
      await drained;
      expect(order).toEqual(['ended', 'drained']);
      expect(worker.delivered).toEqual([first]);
      await becomes(async () => (await other.missing([first])).length, 1);
    });

    it('drains at once without an active job, and still adds jobs', async () => {
      const idle = under.working();
      await under.queue.drain();
      const job = newJob();
      await under.queue.add(job, 0);
      const worker = under.working(await under.peer());
      expect(await worker.finish(1)).toEqual([job]);
      expect(idle.delivered).toEqual([]);
    });

    it('delivers a job that is returned while it drains to others at once, regardless of its delay', async () => {
      const job = newJob();
      const worker = under.working();
      await under.queue.add(job, 0);
      const held = await worker.next();
      const drained = under.queue.drain();
      held.end(HOUR_MS);
      await drained;
      expect(await under.working(await under.peer()).finish(1)).toEqual([job]);
    });

    it('returns its active jobs to others when it closes', async () => {
      const job = newJob();
      const closing = await under.peer('worker');
      const worker = under.working(closing);
      await under.queue.add(job, 0);
      const held = await worker.next();
      const other = under.working();
      await closing.close();
      expect(await other.finish(1)).toEqual([job]);
      held.end();
      await becomes(async () => (await under.queue.missing([job])).length, 1);
      expect(other.delivered).toHaveLength(1);
    });

    it('can be closed twice, and without a worker', async () => {
      const web = await under.peer('web');
      await web.close();
      await web.close();
      expect(await under.queue.size()).toBe(0);
    });
  });
}
