import { memoryStore, type SessionRecord, type SessionStore, type TakenLease } from '../session';
import { describeSessionStore } from './session-store-contract';
import type { TestGlobals } from './test-globals';

type Step = () => unknown;

/** The names of the cases that a store fails. */
async function failuresOf(store: SessionStore): Promise<readonly string[]> {
  const failures: string[] = [];
  const { cases, before, after } = casesFor(store);
  for (const step of before.all) await step();
  for (const { name, body } of cases) {
    for (const step of before.each) await step();
    try {
      await body();
    } catch {
      failures.push(name);
    }
  }
  for (const step of after) await step();
  return failures;
}

/** The cases that the suite registers with a test runner. */
function casesFor(store: SessionStore) {
  const path: string[] = [];
  const cases: { readonly name: string; readonly body: Step }[] = [];
  const before = { all: [] as Step[], each: [] as Step[] };
  const after: Step[] = [];
  const recording: Omit<TestGlobals, 'expect' | 'afterEach'> = {
    describe: (name, body) => {
      path.push(name);
      body();
      path.pop();
    },
    it: (name, body) => cases.push({ name: [...path.slice(1), name].join(' '), body }),
    beforeAll: (step) => before.all.push(step),
    beforeEach: (step) => before.each.push(step),
    afterAll: (step) => after.push(step),
  };
  const { describe, it, beforeAll, beforeEach, afterAll } = globalThis;
  Object.assign(globalThis, recording);
  try {
    describeSessionStore('store', { create: () => store });
  } finally {
    Object.assign(globalThis, { describe, it, beforeAll, beforeEach, afterAll });
  }
  return { cases, before, after };
}

/** A memory store with some methods replaced. */
function storeWith(changes: (inner: SessionStore) => Partial<SessionStore>): SessionStore {
  const inner = memoryStore();
  return Object.assign(Object.create(inner) as SessionStore, changes(inner));
}

const held = (
  inner: SessionStore,
  ...args: Parameters<NonNullable<SessionStore['acquireNew']>>
): Promise<TakenLease> => {
  if (!inner.acquireNew) throw new Error('The store in memory has all methods.');
  return inner.acquireNew(...args);
};

describe('describeSessionStore', () => {
  it('passes a store that keeps all promises', async () => {
    expect(await failuresOf(memoryStore())).toEqual([]);
  });

  it('passes one without the optional way to begin a session', async () => {
    expect(await failuresOf(storeWith(() => ({ acquireNew: undefined })))).toEqual([]);
  });

  it('passes one that begins every session empty', async () => {
    const empty = storeWith((inner) => ({
      acquireNew: (session, ttlMs, limit) => held(inner, session, ttlMs, limit),
    }));
    expect(await failuresOf(empty)).toEqual([]);
  });

  const flawed: readonly [string, (inner: SessionStore) => Partial<SessionStore>, string][] = [
    [
      'forgets the agent',
      (inner) => ({ create: ({ agent: _, ...session }) => inner.create(session) }),
      'the agent of a session is on its record, from every method',
    ],
    [
      'lists the sessions of all agents',
      (inner) => ({ list: (owner, { agent: _, ...page } = {}) => inner.list(owner, page) }),
      'the agent of a session selects the sessions that are listed',
    ],
    [
      'counts the sessions of all agents',
      (inner) => ({ count: (owner) => inner.count(owner) }),
      'the agent of a session selects the sessions that are counted',
    ],
    [
      'deletes the sessions of all agents',
      (inner) => ({ deleteAll: (owner) => inner.deleteAll(owner) }),
      'the agent of a session selects the sessions that are deleted',
    ],
    [
      'forgets the parent',
      (inner) => ({ create: ({ parent: _, ...session }) => inner.create(session) }),
      'a child session has its parent on its record, from every method',
    ],
    [
      'accepts any parent',
      (inner) => ({
        create: async ({ parent, ...session }) =>
          inner.create((await inner.find(parent ?? '')) ? { ...session, parent } : session),
      }),
      'a child session is not created without an existing parent',
    ],
    [
      'limits no new sessions',
      (inner) => ({ acquireNew: (session, ttlMs) => held(inner, session, ttlMs) }),
      'a session that is created with its lease counts against its owner’s limit, and is not created beyond it',
    ],
    [
      'limits no sessions that are created and then leased',
      (inner) => ({ acquireNew: undefined, acquire: (id, ttlMs) => inner.acquire(id, ttlMs) }),
      'a session that is created with its lease counts against its owner’s limit, and is not created beyond it',
    ],
    [
      'leaves a new session behind that it refused',
      (inner) => ({
        acquireNew: async (session, ttlMs, limit) => {
          await inner.create(session);
          const lease = await inner.acquire(session.id, ttlMs, limit);
          if (!lease) throw new Error('It is new.');
          return lease;
        },
      }),
      'a session that is created with its lease counts against its owner’s limit, and is not created beyond it',
    ],
    [
      'returns a new session as it was before its lease',
      (inner) => ({
        acquireNew: async (session, ttlMs, limit) => {
          const lease = await held(inner, session, ttlMs, limit);
          return { ...lease, record: { ...lease.record, isHeld: false } };
        },
      }),
      'a session that is created with its lease equals one that is created and then leased',
    ],
    [
      'returns the version of first entries that it did not keep',
      (inner) => ({
        acquireNew: async (session, ttlMs, limit, begun) => {
          const lease = await held(inner, session, ttlMs, limit);
          const version = begun?.entries.length ?? 0;
          return { ...lease, record: { ...lease.record, version } };
        },
      }),
      'a session that is created with its lease starts with its first entries, or empty',
    ],
    [
      'treats an existing session as a new one',
      (inner) => ({
        acquireNew: async (session, ttlMs, limit) =>
          (await inner.acquire(session.id, ttlMs, limit).catch(() => undefined)) ??
          held(inner, session, ttlMs, limit),
      }),
      'a session that is created with its lease is created once by concurrent requests of both kinds',
    ],
    [
      'does not return the removed children',
      (inner) => ({
        deleteIdle: async (since) => {
          const removed = await inner.deleteIdle(since);
          return removed.slice(0, 1);
        },
      }),
      'deleting idle sessions with children removes the children with it, and returns all ids',
    ],
  ];

  it.each(flawed)('finds out a store that %s', async (_, changes, name) => {
    const failures = await failuresOf(storeWith(changes));
    expect(failures).toContain(name);
  });

  it('finds out a store that records the parent and ignores it', async () => {
    const parents = new Map<string, string>();
    const noted = <T extends SessionRecord | undefined>(record: T): T => {
      const parent = record && parents.get(record.id);
      return parent === undefined ? record : { ...record, parent };
    };
    const failures = await failuresOf(
      storeWith((inner) => ({
        create: async ({ parent, ...session }) => {
          if (parent !== undefined) parents.set(session.id, parent);
          return noted(await inner.create(session));
        },
        find: async (id) => noted(await inner.find(id)),
      })),
    );
    expect(failures).toEqual(
      expect.arrayContaining([
        'a child session is not listed for any agent',
        'a child session is not counted for any agent',
        'deleting a session with children removes its descendants with all their data',
        'deleting idle sessions with children removes no child before its parent, however long the child was idle',
        'deleting idle sessions with children removes a child with its parent, however recently the child was used',
        'deleting idle sessions with children keeps a session whose child has a valid lease',
        'the lease of a child session does not count against its owner’s limit',
        'the lease of a child session is granted even if its owner’s limit is reached',
      ]),
    );
  });
});
