import { LeaseLostError, TooManyRunsError, VersionConflictError } from '../session-errors';
import {
  copyOf,
  discard,
  entriesFrom,
  holds,
  isHeld,
  type MemorySession,
  recordOf,
  signalsOf,
  treeOf,
  versionOf,
} from './memory-session';
import { MemoryLedger } from './memory-ledger';
import { isQueued, MemorySessions } from './memory-sessions';
import type { AppendOptions, LeaseLimit, SessionStore, TakenLease } from './session-store';
import { defined } from '../../internal';
import type { WaitingRun } from './queued-runs';

type Methods = Required<Omit<SessionStore, 'open' | 'close'>>;

/** The methods of a store, answered at once. */
type ImmediateStore = {
  readonly [Name in keyof Methods]: (
    ...args: Parameters<Methods[Name]>
  ) => Awaited<ReturnType<Methods[Name]>>;
};

function immediateStore(): ImmediateStore {
  const sessions = new MemorySessions();
  const ledger = new MemoryLedger();

  /** @throws TooManyRunsError */
  function take(
    session: MemorySession,
    ttlMs: number,
    { maxPerOwner = Infinity }: LeaseLimit = {},
  ): TakenLease {
    const busy = session.parent ? [] : sessions.busyOf(session.owner);
    if (busy.length >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
    sessions.lease(session, performance.now() + ttlMs);
    session.attendedUntil = 0;
    delete session.stop;
    return { sessionId: session.id, token: session.leaseToken, record: recordOf(session) };
  }

  /** Appends to a session's journal. */
  function write(
    session: MemorySession,
    { entries, headline, spent = [] }: Pick<AppendOptions, 'entries' | 'headline' | 'spent'>,
  ): void {
    for (const [index, entry] of entries.entries()) {
      if (entry.type !== 'run.started') continue;
      session.deliveries.clear();
      sessions.addRun(session, entry.runId, versionOf(session) + index + 1);
    }
    session.entries.push(...copyOf(entries));
    if (headline) session.headline = copyOf(headline);
    ledger.add(session.owner, spent);
    sessions.touch(session);
  }

  const queuedBeside = (session: MemorySession) =>
    sessions.busyOf(session.owner).filter((other) => other !== session && isQueued(other));

  return {
    create: (created) => recordOf(sessions.create(created)),
    find(sessionId) {
      const session = sessions.find(sessionId);
      return session && recordOf(session);
    },
    findByRun(runId) {
      const found = sessions.findByRun(runId);
      return found && { ...recordOf(found.session), runStart: found.start };
    },
    list: (owner, { limit, offset = 0, ...of } = {}) =>
      sessions
        .conversations(owner, of)
        .toSorted((a, b) => b.usage - a.usage)
        .slice(offset, limit === undefined ? undefined : offset + limit)
        .map(recordOf),
    read(sessionId, from = 1, { limit } = {}) {
      const session = sessions.find(sessionId);
      return session ? entriesFrom(session, from, limit) : [];
    },
    append(sessionId, options) {
      const { lease, expectedVersion, readFrom, discardBefore, release } = options;
      const session = sessions.require(sessionId);
      if (!holds(session, lease)) throw new LeaseLostError();
      if (versionOf(session) !== expectedVersion) throw new VersionConflictError();
      write(session, options);
      if (readFrom !== undefined) session.readFrom = readFrom;
      if (discardBefore) discard(session);
      delete session.draft;
      if (release) sessions.free(session);
      sessions.queue(session, options.queued);
      return {
        version: versionOf(session),
        signals: signalsOf(session),
        ...(options.queued && { outstanding: queuedBeside(session).length }),
      };
    },
    acquire(sessionId, ttlMs, limit) {
      const session = sessions.require(sessionId);
      return isHeld(session) ? undefined : take(session, ttlMs, limit);
    },
    acquireNew(created, ttlMs, limit, begun) {
      const session = sessions.create(created);
      try {
        const lease = take(session, ttlMs, limit);
        if (begun === undefined) return lease;
        write(session, begun);
        return { ...lease, record: recordOf(session) };
      } catch (error) {
        sessions.remove([session]);
        throw error;
      }
    },
    renew(lease, ttlMs, draft) {
      const session = sessions.find(lease.sessionId);
      if (!session || !holds(session, lease)) return { isHeld: false, signals: {} };
      session.leaseUntil = performance.now() + ttlMs;
      if (draft) session.draft = copyOf(draft);
      return { isHeld: true, signals: signalsOf(session) };
    },
    release(lease) {
      const session = sessions.find(lease.sessionId);
      if (session && holds(session, lease)) sessions.free(session);
    },
    requestStop(sessionId, runId) {
      const session = sessions.find(sessionId);
      if (session && isHeld(session)) session.stop = runId;
    },
    attend(sessionId, ttlMs) {
      const session = sessions.find(sessionId);
      if (session && isHeld(session)) session.attendedUntil = performance.now() + ttlMs;
    },
    deliver(sessionId, callId, delivery) {
      const { deliveries } = sessions.find(sessionId) ?? {};
      if (deliveries === undefined || deliveries.has(callId)) return false;
      deliveries.set(callId, copyOf(delivery));
      return true;
    },
    delivered: (sessionId, callId) => sessions.find(sessionId)?.deliveries.get(callId),
    delete(sessionId) {
      const session = sessions.find(sessionId);
      if (session) sessions.remove(treeOf(session));
      return session !== undefined;
    },
    deleteAll(owner, of) {
      const conversations = sessions.conversations(owner, of);
      sessions.remove(conversations.flatMap(treeOf));
      return conversations.length;
    },
    deleteIdle(since) {
      const idle = sessions
        .conversations()
        .filter(({ lastUsedAt }) => lastUsedAt < since.getTime())
        .map(treeOf)
        .filter((tree) => !tree.some(isHeld))
        .flat();
      sessions.remove(idle);
      return idle.map(({ id }) => id);
    },
    count: (owner, of) => sessions.conversations(owner, of).length,
    usage: (query) => ledger.sums(query),
    addUsage: (owner, spent) => ledger.add(owner, spent),
    removeUsage: (before) => ledger.removeBefore(before),
    queuedRuns: (page) => waitingRuns(sessions.allBusy(), page),
    queuedRun(sessionId) {
      const queued = sessions.find(sessionId)?.queued;
      return queued && copyOf(queued.run);
    },
  };
}

/** Marks stores whose sessions are lost with this process. */
const IN_MEMORY = Symbol('nestjs-agent:in-memory');

/**
 * Keeps sessions in this process's memory: the default, for development, tests and single processes
 * that may lose data. A restart loses everything, and no other process sees it.
 *
 * @example
 * AgentModule.forRoot({ sessions: { store: memoryStore() } });
 */
export function memoryStore(): SessionStore {
  // As with a remote store, errors are rejections, never thrown.
  const methods = Object.entries(immediateStore()).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      new Promise((resolve) => resolve(Reflect.apply(method, undefined, args) as unknown)),
  ]);
  return Object.assign(Object.fromEntries(methods) as Methods, { [IN_MEMORY]: true });
}

/** Whether sessions are lost with this process. @internal */
export function isMemoryStore(store: SessionStore): boolean {
  return IN_MEMORY in store;
}

/** The queued runs of one page; sessions without one are skipped. */
function waitingRuns(
  sessions: readonly MemorySession[],
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
): readonly WaitingRun[] {
  return sessions
    .flatMap(waitingRunOf)
    .filter(({ sessionId }) => sessionId > after)
    .toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1))
    .slice(0, limit);
}

function waitingRunOf(session: MemorySession): readonly WaitingRun[] {
  if (session.queued === undefined) return [];
  const { id: sessionId, owner, agent, queued } = session;
  const { runId, attempt, sealed } = queued.run;
  const waitedMs = performance.now() - queued.since;
  const waiting = { runId, attempt, sealed, sessionId, owner, agent, waitedMs };
  return [defined({ ...waiting, isHeld: isHeld(session) })];
}
