import { becomes } from '../patience';
import { testGlobals } from '../test-globals';
import { newJob, type QueueUnderTest } from './queue-under-test';
import { TestWorker } from './test-worker';

/** A timer may fire up to a millisecond early, and two clocks are compared. */
const EARLY_MS = 5;

export function describeDelivery(under: QueueUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('delivery', () => {
    it('delivers a job to a worker once, unchanged', async () => {
      const job = newJob({ agent: 'research "\u00e9"', attempt: 12, sealed: 'c2VhbGVk' });
      const worker = under.working();
      await under.queue.add(job, 0);
      expect(await worker.finish(1)).toEqual([job]);
      await becomes(() => isKept(under, job), false);
      expect(worker.delivered).toHaveLength(1);
    });

    it('delivers each job to one of the workers', async () => {
      const workers = [under.working(), under.working(await under.peer())];
      const jobs = Array.from({ length: 20 }, () => newJob());
      await Promise.all(jobs.map((job) => under.queue.add(job, 0)));
      await becomes(
        () => Promise.resolve(workers.flatMap(({ delivered }) => delivered).length),
        jobs.length,
      );
      const runs = workers.flatMap(({ delivered }) => delivered.map(({ runId }) => runId));
      expect(runs.toSorted()).toEqual(jobs.map(({ runId }) => runId).toSorted());
      for (const worker of workers) await worker.finish(worker.delivered.length);
    });

    it('treats a job that is added twice as one, whether waiting, delayed or active', async () => {
      const job = newJob();
      await under.queue.add(job, 3);
      await under.queue.add(job, 0);
      expect(await under.queue.size()).toBe(1);
      const draining = await under.peer();
      const first = await under.working(draining).next();
      expect(first.job).toEqual(job);
      await under.queue.add(job, 0);
      first.end(1_000);
      await becomes(() => under.queue.size(), 1);
      // Without a worker, the job stays in the queue when its delay is over.
      await draining.drain();
      await under.queue.add(job, 0);
      const worker = under.working();
      expect(await worker.finish(1)).toEqual([job]);
      await becomes(() => isKept(under, job), false);
      const other = newJob();
      await under.queue.add(other, 0);
      expect(await worker.finish(1)).toEqual([other]);
      expect(worker.delivered).toEqual([job, other]);
    });

    it('treats another attempt of a run as another job', async () => {
      const first = newJob();
      const second = { ...first, attempt: 2 };
      await under.queue.add(first, 0);
      await under.queue.add(second, 0);
      expect(await under.working().finish(2)).toEqual([first, second]);
    });

    it('delivers a job again after the delay that its worker requested', async () => {
      const job = newJob();
      const worker = under.working();
      await under.queue.add(job, 0);
      (await worker.next()).end(300);
      const since = Date.now();
      const again = await worker.next();
      expect(again.job).toEqual(job);
      expect(again.at - since).toBeGreaterThan(300 - EARLY_MS);
      again.end();
      await becomes(() => isKept(under, job), false);
    });

    it('delivers a job again after its lock expires if the worker throws', async () => {
      const job = newJob();
      const worker = under.working(under.queue, new TestWorker(400));
      await under.queue.add(job, 0);
      const first = await worker.next();
      first.fail(new Error('The worker has a defect.'));
      const again = await worker.next();
      expect(again.job).toEqual(job);
      expect(again.at - first.at).toBeGreaterThan(400 - EARLY_MS);
      again.end();
      await becomes(() => isKept(under, job), false);
      expect(worker.delivered).toHaveLength(2);
    });

    if (under.canCutOff) {
      it('delivers a job to another worker when the lock of a dead one expires', async () => {
        const job = newJob();
        const dying = await under.peer('worker');
        const held = under.working(dying);
        await under.queue.add(job, 0);
        const lost = await held.next();
        const other = under.working();
        await under.cutOff(dying);
        const again = await other.next();
        expect(again.job).toEqual(job);
        expect(again.at - lost.at).toBeGreaterThan(other.lockMs / 2);
        again.end();
        await becomes(() => isKept(under, job), false);
        lost.end();
      });
    }

    it('renews the lock of a job while its process is alive', async () => {
      const job = newJob();
      const holder = under.working(await under.peer('worker'), new TestWorker(300));
      await under.queue.add(job, 0);
      const held = await holder.next();
      const other = under.working(under.queue, new TestWorker(300));
      await new Promise((resolve) => setTimeout(resolve, 4 * holder.lockMs));
      held.end();
      await becomes(() => isKept(under, job), false);
      expect([...holder.delivered, ...other.delivered]).toEqual([job]);
    });

    it('never delivers a job to a process that only accepts runs', async () => {
      const web = await under.peer('web');
      const idle = under.working(web);
      const jobs = Array.from({ length: 5 }, () => newJob());
      for (const job of jobs) await web.add(job, 0);
      expect(await under.working().finish(jobs.length)).toEqual(jobs);
      expect(idle.delivered).toEqual([]);
    });
  });
}

async function isKept(under: QueueUnderTest, job: ReturnType<typeof newJob>): Promise<boolean> {
  return (await under.queue.missing([job])).length === 0;
}
