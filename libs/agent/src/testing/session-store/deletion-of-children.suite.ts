import { randomUUID } from 'node:crypto';
import { eventually } from '../patience';
import { testGlobals } from '../test-globals';
import { codeOf, each, hoursFromNow } from './answers';
import { said, startOf } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Conversations of several sessions, which are deleted together. */
export function describeDeletionOfChildren(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('deleting a session with children', () => {
    it('removes its descendants with all their data', async () => {
      const { root, grandchild, ids } = await under.newFamily('alice');
      const other = await under.newSession('alice');
      const runId = randomUUID();
      await under.write(grandchild, [startOf(runId), said('Hello')]);
      expect(await under.store.delete(root)).toBe(true);
      expect(await under.remaining([...ids, other])).toEqual([other]);
      expect(await under.peer.read(grandchild)).toEqual([]);
      expect(await under.peer.findByRun(runId)).toBeUndefined();
    });

    it('leaves nothing to a new session of the same id', async () => {
      const { root, child } = await under.newFamily();
      await under.store.delete(root);
      await under.store.create({ id: root });
      expect(await under.peer.find(child)).toBeUndefined();
      await under.store.create({ id: child });
      await under.store.delete(root);
      expect(await under.remaining([child])).toEqual([child]);
    });

    it('ends the leases that their runs held', async () => {
      const { root, child } = await under.newFamily();
      const lease = await under.leaseOf(child);
      await under.peer.delete(root);
      expect(await under.refusalOf(lease)).toBe('session_not_found');
      expect((await under.store.renew(lease, LONG_MS)).isHeld).toBe(false);
    });

    it('keeps the parent if only a child is deleted', async () => {
      const { root, child, ids } = await under.newFamily();
      expect(await under.store.delete(child)).toBe(true);
      expect(await under.remaining(ids)).toEqual([root]);
      expect(await under.store.delete(root)).toBe(true);
    });

    it('removes the sessions of a selected agent with their children, and no children of other sessions', async () => {
      const mine = await under.newFamily('alice');
      const others = await under.newSession('alice', { agent: 'research' });
      const othersChild = await under.newSession('alice', { agent: 'support', parent: others });
      const bobs = await under.newFamily('bob');
      const ids = [...mine.ids, others, othersChild, ...bobs.ids];
      expect(await under.store.deleteAll('alice', { agent: 'support' })).toBe(1);
      expect(await under.remaining(ids)).toEqual([others, othersChild, ...bobs.ids]);
      expect(await under.store.deleteAll('alice')).toBe(1);
      expect(await under.remaining(ids)).toEqual(bobs.ids);
      expect(await under.store.deleteAll()).toBe(1);
      expect(await under.remaining(ids)).toEqual([]);
    });

    it('leaves no child that was created concurrently', async () => {
      const roots = await Promise.all(each(20, () => under.newSession()));
      const children = await Promise.all(
        roots.map(async (parent, index) => {
          const id = randomUUID();
          const [code] = await Promise.all([
            codeOf(under.side(index).create({ id, parent })),
            under.store.delete(parent),
          ]);
          expect(code === undefined || code === 'session_not_found').toBe(true);
          return id;
        }),
      );
      expect(await under.remaining(children)).toEqual([]);
    });
  });

  describe('deleting idle sessions with children', () => {
    /** Waits until the store's clock is after all uses so far. */
    async function afterwards(): Promise<Date> {
      const probe = await under.newSession();
      const { lastUsedAt } = await eventually(() => under.store.find(probe));
      await under.store.delete(probe);
      return new Date(lastUsedAt.getTime() + 1);
    }

    /** Uses a session so that it is not idle since then. */
    async function useAfter(sessionId: string, since: Date): Promise<void> {
      await eventually(async () => {
        await under.write(sessionId, []);
        const used = await under.store.find(sessionId);
        return used && used.lastUsedAt > since ? true : undefined;
      });
    }

    it('removes the children with it, and returns all ids', async () => {
      const { ids } = await under.newFamily('alice');
      const removed = await under.store.deleteIdle(hoursFromNow(1));
      expect([...removed].sort()).toEqual([...ids].sort());
      expect(await under.remaining(ids)).toEqual([]);
    });

    it('removes no child before its parent, however long the child was idle', async () => {
      const { root, ids } = await under.newFamily();
      const since = await afterwards();
      await useAfter(root, since);
      expect(await under.store.deleteIdle(since)).toEqual([]);
      expect(await under.remaining(ids)).toEqual(ids);
    });

    it('removes a child with its parent, however recently the child was used', async () => {
      const { grandchild, ids } = await under.newFamily();
      const since = await afterwards();
      await useAfter(grandchild, since);
      const removed = await under.store.deleteIdle(since);
      expect([...removed].sort()).toEqual([...ids].sort());
    });

    it('keeps a session whose child has a valid lease', async () => {
      const { grandchild, ids } = await under.newFamily();
      const lease = await under.leaseOf(grandchild);
      expect(await under.peer.deleteIdle(hoursFromNow(1))).toEqual([]);
      expect(await under.remaining(ids)).toEqual(ids);
      await under.store.release(lease);
      expect(await under.peer.deleteIdle(hoursFromNow(1))).toHaveLength(3);
    });

    it('keeps the children of a session with a valid lease', async () => {
      const { root, ids } = await under.newFamily();
      await under.leaseOf(root);
      expect(await under.peer.deleteIdle(hoursFromNow(1))).toEqual([]);
      expect(await under.remaining(ids)).toEqual(ids);
    });

    it('removes no child that is leased concurrently', async () => {
      const children = await Promise.all(
        each(40, async () => under.newSession(undefined, { parent: await under.newSession() })),
      );
      const [removed, ...leases] = await Promise.all([
        under.store.deleteIdle(hoursFromNow(1)),
        ...children.map((id) =>
          under.peer.acquire(id, LONG_MS).catch((error: unknown) => {
            expect(error).toMatchObject({ code: 'session_not_found' });
            return undefined;
          }),
        ),
      ]);
      const held = leases.flatMap((lease) => (lease ? [lease.sessionId] : []));
      expect(await under.remaining(children)).toEqual(held);
      expect(removed).toHaveLength(2 * (children.length - held.length));
    });
  });
}
