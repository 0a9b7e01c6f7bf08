import { testGlobals } from '../test-globals';
import { codeOf, each, eventually } from './answers';
import { said } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Who may write to a session, and until when. */
export function describeLeases(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a lease', () => {
    it('is given to one at a time', async () => {
      const id = await under.newSession();
      const lease = await under.leaseOf(id);
      expect(await under.peer.acquire(id, LONG_MS)).toBeUndefined();
      await under.store.release(lease);
      const next = await under.peer.acquire(id, LONG_MS);
      expect(next?.token).toBeGreaterThan(lease.token);
    });

    it('is given to one of 50 at once', async () => {
      const id = await under.newSession();
      const leases = await Promise.all(
        each(50, (index) => (index % 2 ? under.store : under.peer).acquire(id, LONG_MS)),
      );
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('is one session’s and no other’s', async () => {
      const [first, second] = [await under.newSession(), await under.newSession()];
      const lease = await under.leaseOf(first);
      await under.leaseOf(second);
      const entries = [said('Hello')];
      const append = under.store.append(second, {
        lease: { ...lease, token: lease.token + 1 },
        expectedVersion: 0,
        entries,
      });
      expect(await codeOf(append)).toBe('lease_lost');
    });

    it('is prolonged by its holder', async () => {
      const id = await under.newSession();
      const lease = await under.leaseOf(id);
      expect(await under.store.renew(lease, LONG_MS)).toBe(true);
      expect(await under.peer.acquire(id, LONG_MS)).toBeUndefined();
    });

    it('runs out, so that a dead process blocks nobody for good', async () => {
      const { stale, next } = await under.expired();
      expect(next.token).toBeGreaterThan(stale.token);
    });

    it('cannot be prolonged once it has run out, even where nobody took it', async () => {
      const id = await under.newSession();
      const lease = await under.leaseOf(id, 1);
      await eventually(async () => ((await under.store.renew(lease, 1)) ? undefined : true));
      expect(await under.store.renew(lease, LONG_MS)).toBe(false);
      const entries = [said('late')];
      expect(await codeOf(under.store.append(id, { lease, expectedVersion: 0, entries }))).toBe(
        'lease_lost',
      );
    });

    it('fences a paused writer off that wakes after its lease was taken', async () => {
      const { sessionId, stale, next } = await under.expired();
      const late = { lease: stale, expectedVersion: 0, entries: [said('late')] };
      expect(await codeOf(under.store.append(sessionId, late))).toBe('lease_lost');
      const entries = [said('in time')];
      await under.peer.append(sessionId, { lease: next, expectedVersion: 0, entries });
      expect(await codeOf(under.store.append(sessionId, { ...late, expectedVersion: 1 }))).toBe(
        'lease_lost',
      );
      expect(await under.textsOf(sessionId)).toEqual(['in time']);
    });

    it('is neither prolonged nor given back by who lost it', async () => {
      const { sessionId, stale, next } = await under.expired();
      expect(await under.store.renew(stale, LONG_MS)).toBe(false);
      await under.store.release(stale);
      expect(await under.store.acquire(sessionId, LONG_MS)).toBeUndefined();
      expect(await under.peer.renew(next, LONG_MS)).toBe(true);
    });

    it('is never held by two writers, however they race', async () => {
      const id = await under.newSession();
      const write = async (index: number): Promise<void> => {
        const side = index % 2 ? under.store : under.peer;
        const lease = await eventually(() => side.acquire(id, LONG_MS));
        const version = (await side.find(id))?.version ?? 0;
        const entries = [said(`${index}`), said(`${index}`)];
        await side.append(id, { lease, expectedVersion: version, entries });
        await side.release(lease);
      };
      await Promise.all(each(8, write));
      const texts = await under.textsOf(id);
      expect(texts).toHaveLength(16);
      const pairs = each(8, (index) => [texts[2 * index], texts[2 * index + 1]]);
      expect(pairs.every(([one, other]) => one === other)).toBe(true);
    });
  });
}
