import { randomUUID } from 'node:crypto';
import { testGlobals } from '../test-globals';
import { codeOf, each, eventually, hoursFromNow } from './answers';
import { said, startOf } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Sessions that are part of another one, and what they share with it. */
export function describeChildren(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  /** A conversation, its child, which is another agent's, and the child's. */
  async function family(owner?: string) {
    const root = await under.newSession(owner, { agent: 'support' });
    const child = await under.newSession(owner, { agent: 'research', parent: root });
    const grandchild = await under.newSession(owner, { parent: child });
    return { root, child, grandchild, ids: [root, child, grandchild] };
  }

  /** Those of the sessions that are still there. */
  async function remaining(ids: readonly string[]): Promise<readonly string[]> {
    const records = await Promise.all(ids.map((id) => under.peer.find(id)));
    return records.flatMap((record) => (record ? [record.id] : []));
  }

  describe('a child session', () => {
    it('has its parent on its record, wherever that comes from', async () => {
      const parent = await under.newSession('alice');
      const id = randomUUID();
      const runId = randomUUID();
      const created = await under.store.create({ id, owner: 'alice', parent });
      expect(created.parent).toBe(parent);
      expect(await under.peer.find(id)).toEqual(created);
      const lease = await under.leaseOf(id);
      expect(lease.record.parent).toBe(parent);
      const entries = [startOf(runId)];
      await under.store.append(id, { lease, expectedVersion: 0, entries });
      expect(await under.peer.findByRun(runId)).toMatchObject({ id, parent });
      expect(Object.keys((await under.peer.find(parent)) ?? {}).includes('parent')).toBe(false);
    });

    it('has a parent of any characters', async () => {
      const parent = `\u0000"\ud800${randomUUID()}`;
      await under.store.create({ id: parent });
      const child = await under.newSession(undefined, { parent });
      expect((await under.peer.find(child))?.parent).toBe(parent);
      await under.store.delete(parent);
      expect(await under.peer.find(child)).toBeUndefined();
    });

    it('is not created where there is no such parent', async () => {
      const id = randomUUID();
      for (const parent of ['nobody', id]) {
        expect(await codeOf(under.store.create({ id, parent }))).toBe('session_not_found');
      }
      expect(await under.peer.find(id)).toBeUndefined();
    });

    it('is created once', async () => {
      const { root, child } = await family('alice');
      expect(await codeOf(under.store.create({ id: child, parent: root }))).toBe('session_exists');
      expect((await under.peer.find(child))?.agent).toBe('research');
    });

    it('has a journal of its own', async () => {
      const { root, child } = await family();
      await under.write(root, [said('question')]);
      await under.write(child, [said('one'), said('two')]);
      expect(await under.textsOf(root)).toEqual(['question']);
      expect(await under.textsOf(child)).toEqual(['one', 'two']);
    });

    it('is not listed, for whichever agent', async () => {
      const { root } = await family('alice');
      const listed = async (agent?: string | null) =>
        (await under.peer.list('alice', agent === undefined ? {} : { agent })).map(({ id }) => id);
      expect(await listed()).toEqual([root]);
      expect(await listed('research')).toEqual([]);
      expect(await listed(null)).toEqual([]);
    });

    it('is not counted, for whichever agent', async () => {
      await family('alice');
      expect(await under.peer.count('alice')).toBe(1);
      expect(await under.peer.count('alice', { agent: 'research' })).toBe(0);
      expect(await under.peer.count(undefined, { agent: null })).toBe(0);
      expect(await under.peer.count()).toBe(1);
    });
  });

  describe('deleting a session with children', () => {
    it('removes its children, theirs, and all that belongs to them', async () => {
      const { root, grandchild, ids } = await family('alice');
      const other = await under.newSession('alice');
      const runId = randomUUID();
      await under.write(grandchild, [startOf(runId), said('Hello')]);
      expect(await under.store.delete(root)).toBe(true);
      expect(await remaining([...ids, other])).toEqual([other]);
      expect(await under.peer.read(grandchild)).toEqual([]);
      expect(await under.peer.findByRun(runId)).toBeUndefined();
    });

    it('leaves nothing to a new session of the same id', async () => {
      const { root, child } = await family();
      await under.store.delete(root);
      await under.store.create({ id: root });
      expect(await under.peer.find(child)).toBeUndefined();
      await under.store.create({ id: child });
      await under.store.delete(root);
      expect(await remaining([child])).toEqual([child]);
    });

    it('ends the leases that their runs held', async () => {
      const { root, child } = await family();
      const lease = await under.leaseOf(child);
      await under.peer.delete(root);
      const entries = [said('late')];
      expect(await codeOf(under.store.append(child, { lease, expectedVersion: 0, entries }))).toBe(
        'session_not_found',
      );
      expect((await under.store.renew(lease, LONG_MS)).isHeld).toBe(false);
    });

    it('keeps the parent where only a child is deleted', async () => {
      const { root, child, ids } = await family();
      expect(await under.store.delete(child)).toBe(true);
      expect(await remaining(ids)).toEqual([root]);
      expect(await under.store.delete(root)).toBe(true);
    });

    it('removes a selected agent’s with their children, and no children of others’', async () => {
      const mine = await family('alice');
      const others = await under.newSession('alice', { agent: 'research' });
      const othersChild = await under.newSession('alice', { agent: 'support', parent: others });
      const bobs = await family('bob');
      const ids = [...mine.ids, others, othersChild, ...bobs.ids];
      expect(await under.store.deleteAll('alice', { agent: 'support' })).toBe(1);
      expect(await remaining(ids)).toEqual([others, othersChild, ...bobs.ids]);
      expect(await under.store.deleteAll('alice')).toBe(1);
      expect(await remaining(ids)).toEqual(bobs.ids);
      expect(await under.store.deleteAll()).toBe(1);
      expect(await remaining(ids)).toEqual([]);
    });

    it('leaves no child that was created meanwhile', async () => {
      const roots = await Promise.all(each(20, () => under.newSession()));
      const children = await Promise.all(
        roots.map(async (parent, index) => {
          const id = randomUUID();
          const [code] = await Promise.all([
            codeOf((index % 2 ? under.store : under.peer).create({ id, parent })),
            under.store.delete(parent),
          ]);
          expect(code === undefined || code === 'session_not_found').toBe(true);
          return id;
        }),
      );
      expect(await remaining(children)).toEqual([]);
    });
  });

  describe('deleting idle sessions with children', () => {
    /** Waits until it is later than all uses so far, by the store's clock. */
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

    it('removes the children with it, and answers all ids', async () => {
      const { ids } = await family('alice');
      const removed = await under.store.deleteIdle(hoursFromNow(1));
      expect([...removed].sort()).toEqual([...ids].sort());
      expect(await remaining(ids)).toEqual([]);
    });

    it('removes no child before its parent, however long that was idle', async () => {
      const { root, ids } = await family();
      const since = await afterwards();
      await useAfter(root, since);
      expect(await under.store.deleteIdle(since)).toEqual([]);
      expect(await remaining(ids)).toEqual(ids);
    });

    it('removes a child with its parent, however lately that was used', async () => {
      const { grandchild, ids } = await family();
      const since = await afterwards();
      await useAfter(grandchild, since);
      const removed = await under.store.deleteIdle(since);
      expect([...removed].sort()).toEqual([...ids].sort());
    });

    it('keeps a session with a child under a living lease', async () => {
      const { grandchild, ids } = await family();
      const lease = await under.leaseOf(grandchild);
      expect(await under.peer.deleteIdle(hoursFromNow(1))).toEqual([]);
      expect(await remaining(ids)).toEqual(ids);
      await under.store.release(lease);
      expect(await under.peer.deleteIdle(hoursFromNow(1))).toHaveLength(3);
    });

    it('keeps the children of a session under a living lease', async () => {
      const { root, ids } = await family();
      await under.leaseOf(root);
      expect(await under.peer.deleteIdle(hoursFromNow(1))).toEqual([]);
      expect(await remaining(ids)).toEqual(ids);
    });

    it('removes no child that is leased meanwhile', async () => {
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
      expect(await remaining(children)).toEqual(held);
      expect(removed).toHaveLength(2 * (children.length - held.length));
    });
  });

  describe('the lease of a child session', () => {
    const limit = { maxPerOwner: 1 };

    it('does not count against its owner’s limit', async () => {
      const { child, grandchild } = await family('alice');
      await under.leaseOf(child);
      await under.leaseOf(grandchild);
      const next = await under.newSession('alice');
      expect((await under.peer.acquire(next, LONG_MS, limit))?.sessionId).toBe(next);
    });

    it('is given where its owner’s limit is reached', async () => {
      const { root, child, grandchild } = await family('alice');
      await under.store.acquire(root, LONG_MS, limit);
      for (const id of [child, grandchild]) {
        expect((await under.peer.acquire(id, LONG_MS, limit))?.sessionId).toBe(id);
        expect(await under.peer.acquire(id, LONG_MS, limit)).toBeUndefined();
      }
      const next = await under.newSession('alice');
      expect(await codeOf(under.peer.acquire(next, LONG_MS, limit))).toBe('too_many_runs');
    });
  });
}
