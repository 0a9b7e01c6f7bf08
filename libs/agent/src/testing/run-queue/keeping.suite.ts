import { becomes } from '../patience';
import { testGlobals } from '../test-globals';
import { newJob, type QueueUnderTest } from './queue-under-test';

export function describeKeeping(under: QueueUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('stored jobs', () => {
    it('are reachable, if the queue has a check', async () => {
      await under.queue.check?.();
      const jobs = [newJob()];
      expect(await under.queue.missing(jobs)).toEqual(jobs);
    });

    it('are distinguished from missing ones, whether waiting, active or delayed', async () => {
      const [active, delayed, waiting, removed, never] = Array.from({ length: 5 }, () => newJob());
      if (!active || !delayed || !waiting || !removed || !never) return;
      await under.queue.add(waiting, 0);
      expect(await under.queue.missing([waiting, never])).toEqual([never]);
      await under.queue.remove(waiting);
      const worker = under.working();
      await under.queue.add(active, 0);
      const held = await worker.next();
      await under.queue.add(delayed, 0);
      (await worker.next()).end(60_000);
      await becomes(() => under.queue.size(), 1);
      const other = await under.peer('web');
      await other.add(removed, 0);
      (await worker.next()).end();
      await becomes(async () => (await other.missing([removed])).length, 1);
      expect(await other.missing([active, never, delayed, removed])).toEqual([never, removed]);
      expect(await other.missing([{ ...active, attempt: 2 }])).toHaveLength(1);
      expect(await other.missing([])).toEqual([]);
      held.end();
      await other.remove(delayed);
    });

    it('are counted if they wait or are delayed, not if they are active', async () => {
      const jobs = Array.from({ length: 3 }, () => newJob());
      for (const [index, job] of jobs.entries()) await under.queue.add(job, index);
      expect(await under.queue.size()).toBe(3);
      const worker = under.working();
      const held = await worker.next();
      await becomes(() => under.queue.size(), 0);
      (await worker.next()).end(60_000);
      await becomes(() => under.queue.size(), 1);
      held.end();
      (await worker.next()).end();
      await becomes(async () => (await under.queue.missing(jobs)).length, 2);
      expect(await under.queue.size()).toBe(1);
      for (const job of jobs) await under.queue.remove(job);
      expect(await under.queue.size()).toBe(0);
    });

    it('are removed if they wait or are delayed, not if a worker has them', async () => {
      const [active, delayed, waiting, last] = Array.from({ length: 4 }, () => newJob());
      if (!active || !delayed || !waiting || !last) return;
      await under.queue.add(waiting, 0);
      await under.queue.remove(waiting);
      await under.queue.remove(waiting);
      expect(await under.queue.missing([waiting])).toEqual([waiting]);
      const worker = under.working();
      await under.queue.add(active, 0);
      const held = await worker.next();
      await under.queue.add(delayed, 0);
      (await worker.next()).end(200);
      await becomes(() => under.queue.size(), 1);
      await under.queue.remove(delayed);
      await under.queue.remove(active);
      expect(await under.queue.missing([active, delayed])).toEqual([delayed]);
      held.end(1);
      (await worker.next()).end();
      await under.queue.add(last, 0);
      (await worker.next()).end(250);
      (await worker.next()).end();
      expect(worker.delivered).toEqual([active, delayed, active, last, last]);
    });
  });
}
