import { textMessage } from '../../message';
import type { Draft } from '../../session';
import { eventually } from '../patience';
import { testGlobals } from '../test-globals';
import { codeOf, each } from './answers';
import { said, startOf } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Leases and their end. */
export function describeLeases(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a lease', () => {
    it('has one holder at a time', async () => {
      const { id, lease } = await under.leased();
      expect(await under.peer.acquire(id, LONG_MS)).toBeUndefined();
      await under.store.release(lease);
      const next = await under.peer.acquire(id, LONG_MS);
      expect(next?.token).toBeGreaterThan(lease.token);
    });

    it('is granted to one of 50 concurrent requests', async () => {
      const id = await under.newSession();
      const leases = await Promise.all(each(50, (index) => under.side(index).acquire(id, LONG_MS)));
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('belongs to one session', async () => {
      const { lease } = await under.leased();
      const { id } = await under.leased();
      const foreign = { ...lease, token: lease.token + 1 };
      const append = { lease: foreign, expectedVersion: 0, entries: [said('Hello')] };
      expect(await codeOf(under.store.append(id, append))).toBe('lease_lost');
    });

    it('is renewed by its holder', async () => {
      const { id, lease } = await under.leased();
      expect(await under.store.renew(lease, LONG_MS)).toEqual({ isHeld: true, signals: {} });
      expect(await under.peer.acquire(id, LONG_MS)).toBeUndefined();
    });

    it('expires, so that a dead process does not block others for ever', async () => {
      const { stale, next } = await under.expired();
      expect(next.token).toBeGreaterThan(stale.token);
    });

    it('cannot be renewed after its expiry, even if it was not taken', async () => {
      const lease = await under.leaseOf(await under.newSession(), 1);
      await eventually(async () => ((await under.store.renew(lease, 1)).isHeld ? undefined : true));
      expect((await under.store.renew(lease, LONG_MS)).isHeld).toBe(false);
      expect(await under.refusalOf(lease)).toBe('lease_lost');
    });

    it('fences off a paused writer that wakes after its lease was taken', async () => {
      const { sessionId, stale, next } = await under.expired();
      expect(await under.refusalOf(stale)).toBe('lease_lost');
      const entries = [said('in time')];
      await under.peer.append(sessionId, { lease: next, expectedVersion: 0, entries });
      expect(await under.refusalOf(stale, { expectedVersion: 1 })).toBe('lease_lost');
      expect(await under.textsOf(sessionId)).toEqual(['in time']);
    });

    it('is neither renewed nor released by a former holder', async () => {
      const { sessionId, stale, next } = await under.expired();
      expect((await under.store.renew(stale, LONG_MS)).isHeld).toBe(false);
      await under.store.release(stale);
      expect(await under.store.acquire(sessionId, LONG_MS)).toBeUndefined();
      expect((await under.peer.renew(next, LONG_MS)).isHeld).toBe(true);
    });

    it('is never held by two racing writers', async () => {
      const id = await under.newSession();
      const write = async (index: number): Promise<void> => {
        const side = under.side(index);
        const lease = await eventually(() => side.acquire(id, LONG_MS));
        const { version } = lease.record;
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

    it('comes with the current session record', async () => {
      const id = await under.newSession('alice');
      await under.write(id, [said('one'), said('two')]);
      const { record } = await under.leaseOf(id);
      expect(record).toMatchObject({ id, owner: 'alice', version: 2, isHeld: true });
      expect(await under.peer.find(id)).toEqual(record);
    });

    it('is visible to readers while it is valid', async () => {
      const id = await under.newSession('alice');
      const runId = 'run of leases';
      await under.write(id, [startOf(runId)]);
      const isHeld = async () => [
        (await under.peer.find(id))?.isHeld,
        (await under.peer.findByRun(runId))?.isHeld,
        (await under.peer.list('alice'))[0]?.isHeld,
      ];
      expect(await isHeld()).toEqual([false, false, false]);
      const lease = await under.leaseOf(id);
      expect(await isHeld()).toEqual([true, true, true]);
      await under.store.renew(lease, 1);
      await eventually(async () => ((await isHeld()).includes(true) ? undefined : true));
      expect((await under.peer.find(id))?.version).toBe(1);
    });

    it('is released with the last append', async () => {
      const { id, lease } = await under.leased();
      const entries = [said('last')];
      await under.store.append(id, { lease, expectedVersion: 0, entries, release: true });
      expect((await under.peer.find(id))?.isHeld).toBe(false);
      expect(await under.refusalOf(lease, { expectedVersion: 1 })).toBe('lease_lost');
      expect((await under.leaseOf(id)).token).toBeGreaterThan(lease.token);
    });

    it('is kept if the last append was refused', async () => {
      const { id, lease } = await under.leased();
      const append = { expectedVersion: 9, entries: [], release: true };
      expect(await under.refusalOf(lease, append)).toBe('version_conflict');
      expect((await under.peer.find(id))?.isHeld).toBe(true);
    });

    it('is granted for no more sessions of an owner than allowed', async () => {
      const limit = { maxPerOwner: 2 };
      const [one, two, three, others] = [
        await under.newSession('alice'),
        await under.newSession('alice'),
        await under.newSession('alice'),
        await under.newSession('bob'),
      ];
      const first = await under.store.acquire(one, LONG_MS, limit);
      expect((await under.peer.acquire(two, LONG_MS, limit))?.sessionId).toBe(two);
      expect(await codeOf(under.peer.acquire(three, LONG_MS, limit))).toBe('too_many_runs');
      expect(await under.store.acquire(one, LONG_MS, limit)).toBeUndefined();
      expect((await under.store.acquire(others, LONG_MS, limit))?.sessionId).toBe(others);
      if (first) await under.store.release(first);
      expect((await under.peer.acquire(three, LONG_MS, limit))?.sessionId).toBe(three);
    });

    it('counts neither anonymous sessions nor expired leases', async () => {
      const limit = { maxPerOwner: 1 };
      for (const id of [await under.newSession(), await under.newSession()]) {
        expect((await under.store.acquire(id, LONG_MS, limit))?.sessionId).toBe(id);
      }
      const [dead, next] = [await under.newSession('alice'), await under.newSession('alice')];
      await under.leaseOf(dead, 1);
      const taken = await eventually(() =>
        under.peer.acquire(next, LONG_MS, limit).catch(() => undefined),
      );
      expect(taken.sessionId).toBe(next);
    });

    it('is granted for no more sessions of an owner, however many request it concurrently', async () => {
      const ids = await Promise.all(each(12, () => under.newSession('alice')));
      const codes = await Promise.all(
        ids.map((id, index) => codeOf(under.side(index).acquire(id, LONG_MS, { maxPerOwner: 3 }))),
      );
      expect(codes.filter((code) => code === undefined)).toHaveLength(3);
      expect(codes.filter((code) => code === 'too_many_runs')).toHaveLength(9);
    });
  });

  describe('the draft of an answer', () => {
    const draftOf = (text: string, after: number): Draft => ({
      after,
      entry: {
        ...said(text),
        type: 'message',
        runId: 'run',
        message: textMessage('assistant', text),
      },
    });

    it('is on the record from a renewal to the next append', async () => {
      const { id, lease } = await under.leased('alice');
      const draft = draftOf('Once \u0000 upon \ud83d', 0);
      await under.store.renew(lease, LONG_MS, draft);
      await under.store.renew(lease, LONG_MS);
      expect((await under.peer.find(id))?.draft).toEqual(draft);
      await under.store.append(id, { lease, expectedVersion: 0, entries: [said('whole')] });
      expect((await under.peer.find(id))?.draft).toBeUndefined();
    });

    it('is left by a dead process to the next one', async () => {
      const { id, lease } = await under.leased();
      const draft = draftOf('Half of', 0);
      await under.store.renew(lease, 1, draft);
      const next = await eventually(() => under.peer.acquire(id, LONG_MS));
      expect(next.record.draft).toEqual(draft);
      await under.store.renew(lease, LONG_MS, draftOf('late', 0));
      expect((await under.peer.find(id))?.draft).toEqual(draft);
    });
  });

  describe('signals', () => {
    it('reach the holder of the lease with its next append and renewal', async () => {
      const { store, peer } = under;
      if (!peer.requestStop || !peer.attend) return;
      const { id, lease } = await under.leased();
      await peer.requestStop(id, 'run 1');
      await peer.attend(id, LONG_MS);
      const signals = { stop: 'run 1', isAttended: true };
      expect(await store.renew(lease, LONG_MS)).toEqual({ isHeld: true, signals });
      const entries = [said('one')];
      expect(await store.append(id, { lease, expectedVersion: 0, entries })).toEqual({
        version: 1,
        signals,
      });
    });

    it('end with the lease, and reach no process without one', async () => {
      const { store, peer } = under;
      if (!peer.requestStop || !peer.attend) return;
      const id = await under.newSession();
      await peer.requestStop(id, 'run 1');
      await peer.attend(id, LONG_MS);
      const first = await under.leaseOf(id);
      expect(await store.renew(first, LONG_MS)).toEqual({ isHeld: true, signals: {} });
      await peer.requestStop(id, 'run 1');
      await store.release(first);
      const second = await under.leaseOf(id);
      expect(await store.renew(second, LONG_MS)).toEqual({ isHeld: true, signals: {} });
    });

    it('of a reader expire', async () => {
      const { store, peer } = under;
      if (!peer.attend) return;
      const { id, lease } = await under.leased();
      await peer.attend(id, 1);
      await eventually(async () =>
        (await store.renew(lease, LONG_MS)).signals.isAttended ? undefined : true,
      );
      expect(await store.renew(lease, LONG_MS)).toEqual({ isHeld: true, signals: {} });
    });
  });
}
