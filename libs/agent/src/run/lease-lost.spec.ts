import { defineTool } from '../registry';
import { memoryStore, type AppendOptions, type SessionStore } from '../session';
import { allOf } from './fixtures/all-of';
import { agentFixture } from './fixtures/agent-fixture';

/** A run stops at nine tenths of it; the rest must exceed the delays of a busy machine. */
const LEASE_MS = 3_000;
const never = () => new Promise<never>(() => undefined);

/** A store with some operations replaced. */
function storeWith(inner: SessionStore, own: Partial<SessionStore>): SessionStore {
  return new Proxy(inner, {
    get: (target, name) => {
      if (name in own) return Reflect.get(own, name) as unknown;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A store whose given operations fail or hang from the first renewal on. */
function brokenStore(inner: SessionStore, broken: Partial<SessionStore>): SessionStore {
  const own: Partial<SessionStore> = {
    renew: (...args) => {
      Object.assign(own, broken);
      return (broken.renew ?? inner.renew.bind(inner))(...args);
    },
  };
  return storeWith(inner, own);
}

const typesIn = async (store: SessionStore, sessionId: string): Promise<readonly string[]> =>
  (await store.read(sessionId)).map(({ entry }) => entry.type);

describe('a run whose lease is not renewed', () => {
  it.each<[string, Partial<SessionStore>]>([
    ['fail', { renew: () => Promise.reject(new Error('away')) }],
    ['hang', { renew: never }],
    ['hang, as all else does', { renew: never, append: never, release: never }],
  ])('stops before its session can be another’s, where renewals %s', async (_, broken) => {
    const store = memoryStore();
    const fixture = await agentFixture({
      store: brokenStore(store, broken),
      options: { leaseMs: LEASE_MS },
      steps: [[{ type: 'text.delta', delta: 'Well.' }, never()]],
    });
    const run = await fixture.agent.start({ message: 'go' });
    const events = await allOf(run.events());
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'lease_lost' },
      { type: 'run.finished', status: 'failed' },
    ]);
    expect(await store.acquire(run.sessionId, LEASE_MS)).toBeUndefined();
    await fixture.module.close();
    expect(await typesIn(store, run.sessionId)).toEqual(['run.started', 'message']);
  });

  it('goes on where a renewal fails once and the next succeeds', async () => {
    const store = memoryStore();
    const renewals: boolean[] = [];
    let tellRenewed: () => void = () => undefined;
    const isRenewed = new Promise<void>((resolve) => (tellRenewed = resolve));
    const fixture = await agentFixture({
      store: storeWith(store, {
        renew: async (...args) => {
          if (renewals.push(renewals.length > 0) === 1) throw new Error('away');
          const renewed = await store.renew(...args);
          // The third renewal comes after the first lease would have expired.
          if (renewals.length === 3) tellRenewed();
          return renewed;
        },
      }),
      options: { leaseMs: LEASE_MS / 3 },
      steps: [() => isRenewed.then(() => 'Well.')],
    });
    const result = await fixture.agent.chat({ message: 'go' });
    expect(result).toMatchObject({ status: 'completed', message: 'Well.' });
    expect(renewals).toEqual([false, true, true]);
    expect((await typesIn(store, result.sessionId)).at(-1)).toBe('run.finished');
  });
});

describe('a run whose session another process has taken', () => {
  it('breaks off in the middle of a call, and writes nothing more', async () => {
    const store = memoryStore();
    const fixture = await agentFixture({
      store,
      options: { leaseMs: LEASE_MS },
      steps: [{ toolCalls: [{ id: 'write', name: 'write' }] }, 'Done.'],
    });
    let begun: () => void = () => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    fixture.registry.register(
      defineTool({
        name: 'write',
        description: 'Write',
        execute: (_input, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve('too late'));
            begun();
          }),
      }),
    );
    const run = await fixture.agent.start({ message: 'go' });
    await isBegun;
    const later = performance.now() + LEASE_MS + 1;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => later);
    const other = await store.acquire(run.sessionId, LEASE_MS);
    clock.mockRestore();
    if (other === undefined) throw new Error('The run’s lease has expired: it is free.');
    const before = await store.read(run.sessionId);

    const events = await allOf(run.events());
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'lease_lost' },
      { type: 'run.finished', status: 'failed' },
    ]);
    expect((await run.finished).error).toMatchObject({ code: 'lease_lost', httpStatus: 503 });
    expect(fixture.model.requests).toHaveLength(1);
    await fixture.module.close();
    expect(await store.read(run.sessionId)).toEqual(before);
    expect(before.at(-1)?.entry.type).toBe('call.started');
    expect(await store.renew(other, LEASE_MS)).toMatchObject({ isHeld: true });
  });
});

describe('a run that gives its lease back with its last append', () => {
  it('has not lost it, though a renewal hears so before the append is answered', async () => {
    const inner = memoryStore();
    let tellRefused: () => void = () => undefined;
    const isRefused = new Promise<void>((resolve) => (tellRefused = resolve));
    const fixture = await agentFixture({
      store: storeWith(inner, {
        append: async (sessionId: string, options: AppendOptions) => {
          const appended = await inner.append(sessionId, options);
          if (options.release) await isRefused.then(() => new Promise(setImmediate));
          return appended;
        },
        renew: async (...args) => {
          const renewed = await inner.renew(...args);
          if (!renewed.isHeld) tellRefused();
          return renewed;
        },
      }),
      options: { leaseMs: LEASE_MS },
      steps: ['Well.'],
    });
    expect(await fixture.agent.chat({ message: 'go' })).toMatchObject({ status: 'completed' });
  });
});
