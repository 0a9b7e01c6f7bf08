import { randomUUID } from 'node:crypto';
import { textMessage } from '../message';
import type { Lease, SessionEntry, SessionStore } from '../session';
import { testGlobals } from './test-globals';

/** How the suite gets at the store it examines. */
export interface SessionStoreContract {
  /** A store with no sessions in it, or one whose sessions may all be deleted. Called once. */
  create(): SessionStore | Promise<SessionStore>;
  /**
   * A second store on the same sessions, where several processes may share them; the first one by
   * default.
   */
  createPeer?(): SessionStore | Promise<SessionStore>;
  /** Clears up after `close()`; nothing by default. */
  destroy?(): unknown;
}

const LONG_MS = 60_000;
const BOOT_TIMEOUT_MS = 60_000;
const PATIENCE_MS = 4_000;

/**
 * Describes what every `SessionStore` must do, for Jest or a runner with the same globals. Run it
 * over a store of your own. All sessions in the store are deleted.
 *
 * @param name what the suite is called in the output
 * @param contract how the suite gets at the store
 * @throws Error outside a test runner
 * @example
 * import { describeSessionStore } from 'nestjs-agent/testing';
 *
 * describeSessionStore('memoryStore', { create: () => memoryStore() });
 */
export function describeSessionStore(name: string, contract: SessionStoreContract): void {
  const { describe, it, beforeAll, beforeEach, afterAll, expect } = testGlobals();

  describe(`${name} as a session store`, () => {
    let store: SessionStore;
    let peer: SessionStore;

    beforeAll(async () => {
      store = await contract.create();
      await store.open?.();
      peer = (await contract.createPeer?.()) ?? store;
      if (peer !== store) await peer.open?.();
    }, BOOT_TIMEOUT_MS);

    beforeEach(() => store.deleteAll());

    afterAll(async () => {
      if (peer !== store) await peer.close?.();
      await store.close?.();
      await contract.destroy?.();
    }, BOOT_TIMEOUT_MS);

    async function newSession(owner?: string): Promise<string> {
      const id = randomUUID();
      await store.create(owner === undefined ? { id } : { id, owner });
      return id;
    }

    async function leaseOf(sessionId: string, ttlMs = LONG_MS): Promise<Lease> {
      const lease = await store.acquire(sessionId, ttlMs);
      if (!lease) throw new Error('The session is leased already.');
      return lease;
    }

    /** A session whose first lease has run out. */
    async function expired(): Promise<{ sessionId: string; stale: Lease; next: Lease }> {
      const sessionId = await newSession();
      const stale = await leaseOf(sessionId, 1);
      return { sessionId, stale, next: await eventually(() => peer.acquire(sessionId, LONG_MS)) };
    }

    async function write(
      sessionId: string,
      entries: readonly SessionEntry[],
      expectedVersion = 0,
    ): Promise<number> {
      const lease = await leaseOf(sessionId);
      const version = await store.append(sessionId, { lease, expectedVersion, entries });
      await store.release(lease);
      return version;
    }

    async function textsOf(sessionId: string, from?: number): Promise<readonly string[]> {
      return (await store.read(sessionId, from)).map(({ entry }) => textOf(entry));
    }

    describe('a session', () => {
      it('is created empty and found again', async () => {
        const id = randomUUID();
        const created = await store.create({ id, owner: 'alice' });
        expect(created).toMatchObject({ id, owner: 'alice', version: 0, readFrom: 1 });
        expect(await peer.find(id)).toEqual(created);
        expect(await store.read(id)).toEqual([]);
      });

      it('may belong to nobody', async () => {
        const id = await newSession();
        const found = await store.find(id);
        expect(found?.owner).toBeUndefined();
      });

      it('is created once', async () => {
        const id = await newSession('alice');
        expect(await codeOf(peer.create({ id, owner: 'bob' }))).toBe('session_exists');
        expect((await store.find(id))?.owner).toBe('alice');
      });

      it('is created once by many at once', async () => {
        const id = randomUUID();
        const codes = await Promise.all(
          each(20, (index) => codeOf((index % 2 ? store : peer).create({ id }))),
        );
        expect(codes.filter((code) => code === undefined)).toHaveLength(1);
        expect(codes.filter((code) => code === 'session_exists')).toHaveLength(19);
      });

      it('is not found under another id', async () => {
        await newSession();
        expect(await store.find('nobody')).toBeUndefined();
        expect(await store.findByRun('nobody')).toBeUndefined();
        expect(await store.read('nobody')).toEqual([]);
        expect(await codeOf(store.acquire('nobody', LONG_MS))).toBe('session_not_found');
      });

      it('takes ids and owners of any characters', async () => {
        for (const odd of ['\u0000', '"; drop table', '\\u0000', 'ümlaut 💥', '\ud800', '']) {
          await store.create({ id: `s${odd}`, owner: `o${odd}` });
          expect(await store.find(`s${odd}`)).toMatchObject({ id: `s${odd}`, owner: `o${odd}` });
          expect(await store.list(`o${odd}`)).toHaveLength(1);
        }
      });

      it('is listed for its owner, the last used first', async () => {
        const [first, second, third] = [
          await newSession('alice'),
          await newSession('alice'),
          await newSession('alice'),
        ];
        await newSession('bob');
        await newSession();
        await write(first, [said('Hello')]);
        const ids = (await store.list('alice')).map(({ id }) => id);
        expect(ids).toEqual([first, third, second]);
        const page = await store.list('alice', { limit: 1, offset: 1 });
        expect(page.map(({ id }) => id)).toEqual([third]);
        expect(await store.list('carol')).toEqual([]);
      });

      it('is counted for its owner and in all', async () => {
        await newSession('alice');
        await newSession('bob');
        await newSession();
        expect(await store.count('alice')).toBe(1);
        expect(await store.count()).toBe(3);
      });
    });

    describe('a journal', () => {
      it('keeps entries in order, with positions from 1', async () => {
        const id = await newSession();
        expect(await write(id, [said('one'), said('two')])).toBe(2);
        expect(await write(id, [said('three')], 2)).toBe(3);
        expect(await peer.read(id)).toEqual([
          { position: 1, entry: said('one') },
          { position: 2, entry: said('two') },
          { position: 3, entry: said('three') },
        ]);
        expect((await store.find(id))?.version).toBe(3);
      });

      it('is read from a position on, and as far as wanted', async () => {
        const id = await newSession();
        await write(
          id,
          each(5, (index) => said(`${index + 1}`)),
        );
        expect(await textsOf(id, 4)).toEqual(['4', '5']);
        expect(await textsOf(id, 6)).toEqual([]);
        const page = await store.read(id, 2, { limit: 2 });
        expect(page.map(({ position }) => position)).toEqual([2, 3]);
      });

      it('keeps what models and tools write, to the letter', async () => {
        const id = await newSession();
        const texts = [
          'NUL \u0000 within',
          'lone surrogates \ud83d and \udca5, and a pair 💥',
          '{"quoted": "\\u0000 \\" \\\\"}',
          '{},{"a"},\'\'; $1 -- \r\n\t\u2028\ufeff',
          'x'.repeat(200_000),
          '',
        ];
        await write(id, texts.map(said));
        expect(await textsOf(id)).toEqual(texts);
      });

      it('does not follow what its writer does to an entry later', async () => {
        const id = await newSession();
        const input: Record<string, string> = { name: 'before' };
        const entry: SessionEntry = {
          type: 'message',
          runId: 'run',
          message: {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c', name: 't', input }],
          },
        };
        await write(id, [entry]);
        input['name'] = 'after';
        const [stored] = await store.read(id);
        expect(JSON.stringify(stored?.entry).includes('before')).toBe(true);
      });

      it('takes no entries as well, which only says that it is in use', async () => {
        const id = await newSession();
        expect(await write(id, [])).toBe(0);
        expect(await store.read(id)).toEqual([]);
      });

      it('takes all of one append or nothing', async () => {
        const id = await newSession();
        const lease = await leaseOf(id);
        const entries = [said('one'), said('two')];
        expect(await codeOf(store.append(id, { lease, expectedVersion: 1, entries }))).toBe(
          'version_conflict',
        );
        expect(await store.read(id)).toEqual([]);
        expect((await store.find(id))?.version).toBe(0);
      });

      it('grows by one of many appends at the same version', async () => {
        const id = await newSession();
        const lease = await leaseOf(id);
        const codes = await Promise.all(
          each(20, (index) =>
            codeOf(
              (index % 2 ? store : peer).append(id, {
                lease,
                expectedVersion: 0,
                entries: [said(`${index}`), said(`${index}`)],
              }),
            ),
          ),
        );
        expect(codes.filter((code) => code === undefined)).toHaveLength(1);
        expect(codes.filter((code) => code === 'version_conflict')).toHaveLength(19);
        const texts = await textsOf(id);
        expect(texts).toHaveLength(2);
        expect(texts[0]).toBe(texts[1]);
      });

      it('is found by the runs that started in it', async () => {
        const id = await newSession('alice');
        const [first, second] = [randomUUID(), randomUUID()];
        await write(id, [startOf(first), said('one'), startOf(second)]);
        expect((await peer.findByRun(first))?.id).toBe(id);
        expect((await peer.findByRun(second))?.owner).toBe('alice');
      });

      it('is read from its last checkpoint, with what stands before it still there', async () => {
        const id = await newSession();
        await write(id, [said('one'), said('two')]);
        const lease = await leaseOf(id);
        const entries = [said('summary'), said('three')];
        await store.append(id, { lease, expectedVersion: 2, entries, checkpoint: true });
        expect(await peer.find(id)).toMatchObject({ version: 4, readFrom: 3 });
        expect(await textsOf(id, 3)).toEqual(['summary', 'three']);
        expect(await textsOf(id)).toEqual(['one', 'two', 'summary', 'three']);
      });

      it('drops what stands before a checkpoint on demand, and goes on counting', async () => {
        const id = await newSession();
        const runId = randomUUID();
        await write(id, [startOf(runId), said('two')]);
        const lease = await leaseOf(id);
        await store.append(id, {
          lease,
          expectedVersion: 2,
          entries: [said('summary')],
          checkpoint: true,
          discardBefore: true,
        });
        const entries = [said('four')];
        expect(await store.append(id, { lease, expectedVersion: 3, entries })).toBe(4);
        expect((await store.read(id)).map(({ position }) => position)).toEqual([3, 4]);
        expect(await textsOf(id, 4)).toEqual(['four']);
        expect((await store.findByRun(runId))?.id).toBe(id);
      });
    });

    describe('a lease', () => {
      it('is given to one at a time', async () => {
        const id = await newSession();
        const lease = await leaseOf(id);
        expect(await peer.acquire(id, LONG_MS)).toBeUndefined();
        await store.release(lease);
        const next = await peer.acquire(id, LONG_MS);
        expect(next?.token).toBeGreaterThan(lease.token);
      });

      it('is given to one of 50 at once', async () => {
        const id = await newSession();
        const leases = await Promise.all(
          each(50, (index) => (index % 2 ? store : peer).acquire(id, LONG_MS)),
        );
        expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      });

      it('is one session’s and no other’s', async () => {
        const [first, second] = [await newSession(), await newSession()];
        const lease = await leaseOf(first);
        await leaseOf(second);
        const entries = [said('Hello')];
        const append = store.append(second, {
          lease: { ...lease, token: lease.token + 1 },
          expectedVersion: 0,
          entries,
        });
        expect(await codeOf(append)).toBe('lease_lost');
      });

      it('is prolonged by its holder', async () => {
        const id = await newSession();
        const lease = await leaseOf(id);
        expect(await store.renew(lease, LONG_MS)).toBe(true);
        expect(await peer.acquire(id, LONG_MS)).toBeUndefined();
      });

      it('runs out, so that a dead process blocks nobody for good', async () => {
        const { stale, next } = await expired();
        expect(next.token).toBeGreaterThan(stale.token);
      });

      it('cannot be prolonged once it has run out, even where nobody took it', async () => {
        const id = await newSession();
        const lease = await leaseOf(id, 1);
        await eventually(async () => ((await store.renew(lease, 1)) ? undefined : true));
        expect(await store.renew(lease, LONG_MS)).toBe(false);
        const entries = [said('late')];
        expect(await codeOf(store.append(id, { lease, expectedVersion: 0, entries }))).toBe(
          'lease_lost',
        );
      });

      it('fences a paused writer off that wakes after its lease was taken', async () => {
        const { sessionId, stale, next } = await expired();
        const late = { lease: stale, expectedVersion: 0, entries: [said('late')] };
        expect(await codeOf(store.append(sessionId, late))).toBe('lease_lost');
        const entries = [said('in time')];
        await peer.append(sessionId, { lease: next, expectedVersion: 0, entries });
        expect(await codeOf(store.append(sessionId, { ...late, expectedVersion: 1 }))).toBe(
          'lease_lost',
        );
        expect(await textsOf(sessionId)).toEqual(['in time']);
      });

      it('is neither prolonged nor given back by who lost it', async () => {
        const { sessionId, stale, next } = await expired();
        expect(await store.renew(stale, LONG_MS)).toBe(false);
        await store.release(stale);
        expect(await store.acquire(sessionId, LONG_MS)).toBeUndefined();
        expect(await peer.renew(next, LONG_MS)).toBe(true);
      });

      it('is never held by two writers, however they race', async () => {
        const id = await newSession();
        const write = async (index: number): Promise<void> => {
          const side = index % 2 ? store : peer;
          const lease = await eventually(() => side.acquire(id, LONG_MS));
          const version = (await side.find(id))?.version ?? 0;
          const entries = [said(`${index}`), said(`${index}`)];
          await side.append(id, { lease, expectedVersion: version, entries });
          await side.release(lease);
        };
        await Promise.all(each(8, write));
        const texts = await textsOf(id);
        expect(texts).toHaveLength(16);
        const pairs = each(8, (index) => [texts[2 * index], texts[2 * index + 1]]);
        expect(pairs.every(([one, other]) => one === other)).toBe(true);
      });
    });

    describe('deleting', () => {
      it('removes a session and all that belongs to it', async () => {
        const id = await newSession();
        const runId = randomUUID();
        await write(id, [startOf(runId), said('Hello')]);
        expect(await store.delete(id)).toBe(true);
        expect(await peer.find(id)).toBeUndefined();
        expect(await peer.read(id)).toEqual([]);
        expect(await peer.findByRun(runId)).toBeUndefined();
        expect(await store.delete(id)).toBe(false);
      });

      it('leaves nothing to a new session of the same id', async () => {
        const id = await newSession();
        await write(id, [said('Hello')]);
        await store.delete(id);
        await store.create({ id });
        expect(await store.find(id)).toMatchObject({ version: 0, readFrom: 1 });
        expect(await store.read(id)).toEqual([]);
      });

      it('ends the lease that was held', async () => {
        const id = await newSession();
        const lease = await leaseOf(id);
        await peer.delete(id);
        const entries = [said('late')];
        expect(await codeOf(store.append(id, { lease, expectedVersion: 0, entries }))).toBe(
          'session_not_found',
        );
        expect(await store.renew(lease, LONG_MS)).toBe(false);
        await store.release(lease);
      });

      it('removes an owner’s sessions, or all', async () => {
        await newSession('alice');
        await newSession('alice');
        await newSession('bob');
        await newSession();
        expect(await store.deleteAll('alice')).toBe(2);
        expect(await store.count()).toBe(2);
        expect(await store.deleteAll()).toBe(2);
        expect(await store.deleteAll()).toBe(0);
      });

      it('removes idle sessions, but none under a live lease', async () => {
        const [idle, busy, done] = [await newSession(), await newSession(), await newSession()];
        await leaseOf(busy);
        await store.release(await leaseOf(done));
        const removed = await peer.deleteIdle(hoursFromNow(1));
        expect([...removed].sort()).toEqual([idle, done].sort());
        expect((await store.find(busy))?.id).toBe(busy);
      });

      it('removes a session whose lease a dead process left behind', async () => {
        const id = await newSession();
        await leaseOf(id, 1);
        const removed = await eventually(async () => {
          const ids = await store.deleteIdle(hoursFromNow(1));
          return ids.length > 0 ? ids : undefined;
        });
        expect(removed).toEqual([id]);
      });

      it('keeps sessions that were used since', async () => {
        const id = await newSession();
        await write(id, [said('Hello')]);
        expect(await store.deleteIdle(hoursFromNow(-1))).toEqual([]);
        const found = await store.find(id);
        expect(found?.lastUsedAt.getTime()).toBeGreaterThanOrEqual(found?.createdAt.getTime() ?? 0);
      });
    });
  });
}

function said(text: string): SessionEntry {
  return { type: 'message', runId: 'run', message: textMessage('user', text) };
}

function startOf(runId: string): SessionEntry {
  return { type: 'run.started', runId, startedAt: '2026-01-01T00:00:00.000Z' };
}

function textOf(entry: SessionEntry): string {
  const [block] = entry.type === 'message' ? entry.message.content : [];
  return block?.type === 'text' ? block.text : '';
}

function each<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

/** The `code` that a promise is rejected with; `undefined` where it is not. */
async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  }
}

/** Asks until there is an answer: the store's clock is not ours to turn. Fails in the end. */
async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUpAt) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error(`The store did not come round within ${PATIENCE_MS} ms.`);
}
