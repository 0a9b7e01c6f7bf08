import { randomUUID } from 'node:crypto';
import { testGlobals } from '../test-globals';
import { codeOf } from './answers';
import { said, startOf } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Child sessions, and the state that they share with their parent. */
export function describeChildren(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a child session', () => {
    it('has its parent on its record, from every method', async () => {
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

    it('is not created without an existing parent', async () => {
      const id = randomUUID();
      for (const parent of ['nobody', id]) {
        expect(await codeOf(under.store.create({ id, parent }))).toBe('session_not_found');
      }
      expect(await under.peer.find(id)).toBeUndefined();
    });

    it('is created once', async () => {
      const { root, child } = await under.newFamily('alice');
      expect(await codeOf(under.store.create({ id: child, parent: root }))).toBe('session_exists');
      expect((await under.peer.find(child))?.agent).toBe('research');
    });

    it('has its own journal', async () => {
      const { root, child } = await under.newFamily();
      await under.write(root, [said('question')]);
      await under.write(child, [said('one'), said('two')]);
      expect(await under.textsOf(root)).toEqual(['question']);
      expect(await under.textsOf(child)).toEqual(['one', 'two']);
    });

    it('is not listed for any agent', async () => {
      const { root } = await under.newFamily('alice');
      const listed = async (agent?: string | null) =>
        (await under.peer.list('alice', agent === undefined ? {} : { agent })).map(({ id }) => id);
      expect(await listed()).toEqual([root]);
      expect(await listed('research')).toEqual([]);
      expect(await listed(null)).toEqual([]);
    });

    it('is not counted for any agent', async () => {
      await under.newFamily('alice');
      expect(await under.peer.count('alice')).toBe(1);
      expect(await under.peer.count('alice', { agent: 'research' })).toBe(0);
      expect(await under.peer.count(undefined, { agent: null })).toBe(0);
      expect(await under.peer.count()).toBe(1);
    });
  });

  describe('the lease of a child session', () => {
    const limit = { maxPerOwner: 1 };

    it('does not count against its owner’s limit', async () => {
      const { child, grandchild } = await under.newFamily('alice');
      await under.leaseOf(child);
      await under.leaseOf(grandchild);
      const next = await under.newSession('alice');
      expect((await under.peer.acquire(next, LONG_MS, limit))?.sessionId).toBe(next);
    });

    it('is granted even if its owner’s limit is reached', async () => {
      const { root, child, grandchild } = await under.newFamily('alice');
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
