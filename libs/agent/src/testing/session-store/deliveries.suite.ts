import { testGlobals } from '../test-globals';
import { each } from './answers';
import { startOf } from './entries';
import { testsOf } from './optional-methods';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Results that browsers deliver for calls, if several processes may receive them. */
export function describeDeliveries(under: StoreUnderTest): void {
  const { describe, expect } = testGlobals();
  const it = testsOf(under, 'deliver', 'delivered');

  describe('a delivery', () => {
    it('is the first of all concurrent ones', async (store, peer) => {
      const id = await under.newSession();
      const taken = await Promise.all(
        each(20, async (index) =>
          (index % 2 ? store : peer).deliver(id, 'call 1', { result: index }),
        ),
      );
      const first = taken.indexOf(true);
      expect(taken.filter((isFirst) => isFirst === true)).toHaveLength(1);
      expect(await peer.delivered(id, 'call 1')).toEqual({ result: first });
    });

    it('belongs to its call and session', async (store, peer) => {
      const [id, other] = [await under.newSession(), await under.newSession()];
      const odd = { error: 'A NUL \u0000 and half a pair \ud83d' };
      expect(await store.deliver(id, 'call \u0000', odd)).toBe(true);
      expect(await peer.delivered(id, 'call \u0000')).toEqual(odd);
      expect(await peer.delivered(id, 'call 2')).toBeUndefined();
      expect(await peer.delivered(other, 'call \u0000')).toBeUndefined();
      expect(await store.deliver('none', 'call 1', odd)).toBe(false);
    });

    it('is too late after the call’s time-out', async (store, peer) => {
      const id = await under.newSession();
      expect(await store.deliver(id, 'call 1', null)).toBe(true);
      expect(await peer.deliver(id, 'call 1', { result: 1 })).toBe(false);
      expect(await peer.delivered(id, 'call 1')).toEqual(null);
    });

    it('is refused or removed if the session is deleted concurrently', async (store, peer) => {
      const ids = await Promise.all(each(20, () => under.newSession()));
      const answers = await Promise.all(
        ids.map(async (id) => {
          const [isTaken] = await Promise.all([store.deliver(id, 'call', 1), peer.delete(id)]);
          return typeof isTaken;
        }),
      );
      expect(answers).toEqual(ids.map(() => 'boolean'));
      expect(await Promise.all(ids.map(async (id) => peer.delivered(id, 'call')))).toEqual(
        ids.map(() => undefined),
      );
    });

    it('is removed with the session’s next run, and with the session', async (store, peer) => {
      const id = await under.newSession();
      await store.deliver(id, 'call 1', { result: 1 });
      const lease = await under.leaseOf(id, LONG_MS);
      const entries = [startOf('run of deliveries')];
      await store.append(id, { lease, expectedVersion: 0, entries });
      expect(await peer.delivered(id, 'call 1')).toBeUndefined();
      expect(await store.deliver(id, 'call 1', { result: 2 })).toBe(true);
      await store.delete(id);
      expect(await peer.delivered(id, 'call 1')).toBeUndefined();
    });
  });
}
