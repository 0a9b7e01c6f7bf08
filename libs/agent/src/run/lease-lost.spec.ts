import { memoryStore, type AppendOptions, type SessionStore } from '../session';
import { agentFixture, type AgentFixture } from './fixtures/agent-fixture';

/** A run stops at nine tenths of it: what is left must be more than a busy machine's delay. */
const LEASE_MS = 3_000;
const never = () => new Promise<never>(() => undefined);

/** A store that fails or hangs from its first renewal on, in what it is told to. */
function brokenStore(broken: Partial<SessionStore>): SessionStore {
  let isBroken = false;
  const store = memoryStore();
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'renew') isBroken = true;
      if (isBroken && name in broken) return Reflect.get(broken, name) as unknown;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

describe('a run whose lease is not renewed', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.module.close());

  const stopped = async (store: SessionStore) => {
    fixture = await agentFixture({
      store,
      options: { leaseMs: LEASE_MS },
      steps: [[{ type: 'text.delta', delta: 'Well.' }, never()]],
    });
    const run = await fixture.agent.start({ message: 'go' });
    const events = [];
    for await (const event of run.events()) events.push(event);
    return { events, again: await store.acquire(run.sessionId, LEASE_MS) };
  };

  it.each<[string, Partial<SessionStore>]>([
    ['fail', { renew: () => Promise.reject(new Error('away')) }],
    ['hang', { renew: never }],
    ['hang, as all else does', { renew: never, append: never, release: never }],
  ])('stops before its session can be another’s, where renewals %s', async (_, broken) => {
    const { events, again } = await stopped(brokenStore(broken));
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'lease_lost' },
      { type: 'run.finished', status: 'failed' },
    ]);
    expect(again).toBeUndefined();
  });
});

describe('a run that gives its lease back with its last append', () => {
  let fixture: AgentFixture;
  afterEach(() => fixture.module.close());

  it('has not lost it, though a renewal hears so before the append is answered', async () => {
    const inner = memoryStore();
    let tellRefused: () => void = () => undefined;
    const isRefused = new Promise<void>((resolve) => (tellRefused = resolve));
    const store = Object.assign(memoryStore(), {
      append: async (sessionId: string, options: AppendOptions) => {
        const appended = await inner.append(sessionId, options);
        if (options.release) await isRefused.then(() => new Promise(setImmediate));
        return appended;
      },
      renew: async (...args: Parameters<SessionStore['renew']>) => {
        const renewed = await inner.renew(...args);
        if (!renewed.isHeld) tellRefused();
        return renewed;
      },
    });
    fixture = await agentFixture({
      store: new Proxy(store, {
        get: (target, name) => {
          if (name === 'append' || name === 'renew') return Reflect.get(target, name) as unknown;
          const member: unknown = Reflect.get(inner, name);
          return typeof member === 'function' ? (member.bind(inner) as unknown) : member;
        },
      }),
      options: { leaseMs: LEASE_MS },
      steps: ['Well.'],
    });
    expect(await fixture.agent.chat({ message: 'go' })).toMatchObject({ status: 'completed' });
  });
});
