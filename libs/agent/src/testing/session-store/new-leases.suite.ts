import { randomUUID } from 'node:crypto';
import { NO_USAGE } from '../../message';
import type {
  AppendOptions,
  LeaseLimit,
  NewSession,
  SessionStore,
  TakenLease,
} from '../../session';
import { eventually } from '../patience';
import { testGlobals } from '../test-globals';
import { codeOf, each } from './answers';
import { said, startOf } from './entries';
import { LONG_MS, type StoreUnderTest } from './store-under-test';

/** Sessions created with a lease, with `acquireNew` or without. */
export function describeNewLeases(under: StoreUnderTest): void {
  const { describe, it, expect } = testGlobals();

  describe('a session that is created with its lease', () => {
    it('equals one that is created and then leased', async () => {
      const { store, peer } = under;
      const of = { owner: 'alice "\u0000', agent: 'support \ud800' };
      const id = `\u0000"\ud800${randomUUID()}`;
      const lease = await newLease(store, { id, ...of }, LONG_MS);
      const other = await under.leaseOf(await under.newSession(of.owner, of));
      const { createdAt, lastUsedAt } = lease.record;
      const record = { ...other.record, id, createdAt, lastUsedAt };
      expect(lease).toEqual({ sessionId: id, token: other.token, record });
      expect(await peer.find(id)).toEqual(record);
      expect((await peer.list(of.owner)).map((each) => each.id).includes(id)).toBe(true);
      expect(await peer.count(of.owner, of)).toBe(2);
    });

    it('starts with its first entries, or empty', async () => {
      const { store, peer } = under;
      const runId = randomUUID();
      const entries = [startOf(runId), said('first "\u0000 \ud800')];
      const model = randomUUID();
      const spent = [{ agent: 'main', model, usage: NO_USAGE, runs: 1, toolCalls: 0 }];
      const headline = { title: 'First', permissions: [] };
      const session = { id: randomUUID(), owner: 'alice' };
      const begun = { entries, headline, spent };
      const lease = await newLease(store, session, LONG_MS, undefined, begun);
      const isBegun = lease.record.version > 0;
      expect(lease.record.version).toBe(isBegun ? 2 : 0);
      expect(lease.record.headline).toEqual(isBegun ? headline : undefined);
      expect(await peer.find(session.id)).toEqual(lease.record);
      expect((await peer.findByRun(runId))?.runStart).toBe(isBegun ? 1 : undefined);
      const stored = (await peer.read(session.id)).map(({ entry }) => entry);
      expect(stored).toEqual(isBegun ? entries : []);
      const sums = await peer.usage?.({ by: ['model'], from: new Date(0) });
      if (sums) expect(sums.some((sum) => sum.model === model && sum.runs === 1)).toBe(isBegun);
      const expectedVersion = lease.record.version;
      expect(await under.refusalOf(lease, { expectedVersion })).toBeUndefined();
    });

    it('has no entries if it is refused', async () => {
      const { store, peer } = under;
      const limit = { maxPerOwner: 1 };
      const owner = 'alice';
      await newLease(store, { id: randomUUID(), owner }, LONG_MS, limit);
      const runId = randomUUID();
      const begun = { entries: [startOf(runId)] };
      const id = await under.newSession(owner);
      for (const [taken, code] of [
        [id, 'session_exists'],
        [randomUUID(), 'too_many_runs'],
      ] as const) {
        const refused = newLease(store, { id: taken, owner }, LONG_MS, limit, begun);
        expect(await codeOf(refused)).toBe(code);
      }
      expect(await peer.findByRun(runId)).toBeUndefined();
      expect(await peer.read(id)).toEqual([]);
    });

    it('is written to by its holder, and by others once it is free', async () => {
      const { store, peer } = under;
      const id = randomUUID();
      const lease = await newLease(store, { id }, LONG_MS);
      expect(await peer.acquire(id, LONG_MS)).toBeUndefined();
      expect(await store.renew(lease, LONG_MS)).toEqual({ isHeld: true, signals: {} });
      const entries = [said('first')];
      await store.append(id, { lease, expectedVersion: 0, entries, release: true });
      const next = await peer.acquire(id, LONG_MS);
      expect(next?.token).toBeGreaterThan(lease.token);
      expect(next?.record.version).toBe(1);
    });

    it('is free once the lease has expired', async () => {
      const { store, peer } = under;
      const id = randomUUID();
      const stale = await newLease(store, { id }, 1);
      const next = await eventually(() => peer.acquire(id, LONG_MS));
      expect(next.token).toBeGreaterThan(stale.token);
      expect(await under.refusalOf(stale)).toBe('lease_lost');
    });

    it('is never an existing session', async () => {
      const { store, peer } = under;
      const limit = { maxPerOwner: 1 };
      const id = await under.newSession('alice');
      const held = await under.leaseOf(id);
      for (const owner of ['alice', 'bob']) {
        expect(await codeOf(newLease(store, { id, owner }, LONG_MS, limit))).toBe('session_exists');
      }
      expect(await peer.find(id)).toEqual(held.record);
      expect((await peer.renew(held, LONG_MS)).isHeld).toBe(true);
    });

    it('is created once by concurrent requests of both kinds', async () => {
      const id = randomUUID();
      const session = { id, owner: 'alice' };
      const codes = await Promise.all(
        each(20, (index) => codeOf(created(under.side(index), session, index))),
      );
      expect(codes.filter((code) => code === undefined)).toHaveLength(1);
      expect(codes.filter((code) => code === 'session_exists')).toHaveLength(19);
    });

    it('is a child of another one, if that exists', async () => {
      const { store, peer } = under;
      const limit = { maxPerOwner: 1 };
      const parent = await under.newSession('alice');
      await store.acquire(parent, LONG_MS, limit);
      const [id, orphan] = [randomUUID(), randomUUID()];
      const session = { id, owner: 'alice', parent };
      expect((await newLease(store, session, LONG_MS, limit)).record.parent).toBe(parent);
      for (const missing of ['missing', orphan]) {
        const refused = newLease(store, { id: orphan, parent: missing }, LONG_MS);
        expect(await codeOf(refused)).toBe('session_not_found');
      }
      expect(await peer.find(orphan)).toBeUndefined();
      expect(await peer.count()).toBe(1);
    });

    it('counts against its owner’s limit, and is not created beyond it', async () => {
      const { store, peer } = under;
      const limit = { maxPerOwner: 2 };
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
      const owner = 'alice';
      const first = await newLease(store, { id: one, owner }, LONG_MS, limit);
      await newLease(store, { id: two, owner }, LONG_MS, limit);
      expect(await codeOf(newLease(store, { id: three, owner }, LONG_MS, limit))).toBe(
        'too_many_runs',
      );
      expect(await peer.find(three)).toBeUndefined();
      const old = await under.newSession(owner);
      expect(await codeOf(peer.acquire(old, LONG_MS, limit))).toBe('too_many_runs');
      for (const other of [{}, {}, {}, { owner: 'bob' }]) {
        const id = randomUUID();
        expect((await newLease(store, { id, ...other }, LONG_MS, limit)).sessionId).toBe(id);
      }
      await peer.release(first);
      expect((await newLease(store, { id: three, owner }, LONG_MS, limit)).sessionId).toBe(three);
    });

    it('stays within its owner’s limit under concurrent requests of both kinds', async () => {
      const limit = { maxPerOwner: 3 };
      const owner = 'alice';
      const old = await Promise.all(each(6, () => under.newSession(owner)));
      const asked = each(12, (index) => {
        const store = index % 4 < 2 ? under.store : under.peer;
        const id = old[index / 2];
        if (id !== undefined) return store.acquire(id, LONG_MS, limit);
        return newLease(store, { id: randomUUID(), owner }, LONG_MS, limit);
      });
      const codes = await Promise.all(asked.map((lease) => codeOf(Promise.resolve(lease))));
      expect(codes.filter((code) => code === undefined)).toHaveLength(3);
      expect(codes.filter((code) => code === 'too_many_runs')).toHaveLength(9);
      const held = (await under.peer.list(owner)).filter(({ isHeld }) => isHeld);
      expect(held).toHaveLength(3);
    });
  });
}

/** Creates a session as runs do: without `acquireNew`, by creating and then leasing it. */
async function newLease(
  store: SessionStore,
  session: NewSession,
  ttlMs: number,
  limit?: LeaseLimit,
  begun?: Pick<AppendOptions, 'entries' | 'headline' | 'spent'>,
): Promise<TakenLease> {
  if (store.acquireNew) return store.acquireNew(session, ttlMs, limit, begun);
  const { id } = await store.create(session);
  try {
    const lease = await store.acquire(id, ttlMs, limit);
    if (!lease) throw new Error('The new session is leased already.');
    return lease;
  } catch (error) {
    await store.delete(id);
    throw error;
  }
}

async function created(store: SessionStore, session: NewSession, index: number): Promise<unknown> {
  return index % 4 < 2
    ? newLease(store, session, LONG_MS, { maxPerOwner: 30 })
    : store.create(session);
}
