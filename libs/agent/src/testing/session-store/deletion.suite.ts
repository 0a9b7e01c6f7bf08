import { randomUUID } from 'node:crypto';
import { eventually } from '../patience';
import { testGlobals } from '../test-globals';
import { each, hoursFromNow } from './answers';
import { said, startOf } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Deleted sessions, and those that stay. */
export function describeDeletion(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('deleting', () => {
    it('removes a session with all its data', async () => {
      const id = await under.newSession();
      const runId = randomUUID();
      await under.write(id, [startOf(runId), said('Hello')]);
      expect(await under.store.delete(id)).toBe(true);
      expect(await under.peer.find(id)).toBeUndefined();
      expect(await under.peer.read(id)).toEqual([]);
      expect(await under.peer.findByRun(runId)).toBeUndefined();
      expect(await under.store.delete(id)).toBe(false);
    });

    it('leaves nothing to a new session of the same id', async () => {
      const id = await under.newSession();
      await under.write(id, [said('Hello')]);
      await under.store.delete(id);
      await under.store.create({ id });
      expect(await under.store.find(id)).toMatchObject({ version: 0, readFrom: 1 });
      expect(await under.store.read(id)).toEqual([]);
    });

    it('ends the lease that was held', async () => {
      const { id, lease } = await under.leased();
      await under.peer.delete(id);
      expect(await under.refusalOf(lease)).toBe('session_not_found');
      expect((await under.store.renew(lease, LONG_MS)).isHeld).toBe(false);
      await under.store.release(lease);
    });

    it('removes an owner’s sessions, or all', async () => {
      await under.newSession('alice');
      await under.newSession('alice');
      await under.newSession('bob');
      await under.newSession();
      expect(await under.store.deleteAll('alice')).toBe(2);
      expect(await under.store.count()).toBe(2);
      expect(await under.store.deleteAll()).toBe(2);
      expect(await under.store.deleteAll()).toBe(0);
    });

    it('removes idle sessions, but none under a live lease', async () => {
      const [idle, busy, done] = [
        await under.newSession(),
        await under.newSession(),
        await under.newSession(),
      ];
      await under.leaseOf(busy);
      await under.store.release(await under.leaseOf(done));
      const removed = await under.peer.deleteIdle(hoursFromNow(1));
      expect([...removed].sort()).toEqual([idle, done].sort());
      expect((await under.store.find(busy))?.id).toBe(busy);
    });

    it('removes thousands of idle sessions, each once', async () => {
      const ids = await Promise.all(each(1_100, () => under.newSession()));
      const removed = await Promise.all([
        under.store.deleteIdle(hoursFromNow(1)),
        under.peer.deleteIdle(hoursFromNow(1)),
      ]);
      expect(removed.flat().sort()).toEqual(ids.sort());
      expect(await under.store.count()).toBe(0);
    });

    it('removes a session with an expired lease of a dead process', async () => {
      const id = await under.newSession();
      await under.leaseOf(id, 1);
      const removed = await eventually(async () => {
        const ids = await under.store.deleteIdle(hoursFromNow(1));
        return ids.length > 0 ? ids : undefined;
      });
      expect(removed).toEqual([id]);
    });

    it('keeps sessions that were used since', async () => {
      const id = await under.newSession();
      await under.write(id, [said('Hello')]);
      expect(await under.store.deleteIdle(hoursFromNow(-1))).toEqual([]);
      const found = await under.store.find(id);
      expect(found?.lastUsedAt.getTime()).toBeGreaterThanOrEqual(found?.createdAt.getTime() ?? 0);
    });
  });
}
