import type { JsonValue } from '../../message';
import type { Draft, StoredEntry } from '../record';
import {
  LeaseLostError,
  SessionExistsError,
  SessionNotFoundError,
  TooManyRunsError,
  VersionConflictError,
} from '../session-errors';
import {
  copyOf,
  discard,
  holds,
  isHeld,
  isConversation,
  type MemorySession,
  newSession,
  recordOf,
  signalsOf,
  treeOf,
  versionOf,
} from './memory-session';
import { MemoryLedger } from './memory-ledger';
import { putQueued, queuedOf, waitingRuns } from './memory-outbox';
import type {
  AgentFilter,
  Appended,
  AppendOptions,
  Lease,
  NewSession,
  Renewed,
  RunRecord,
  SessionRecord,
  SessionStore,
  TakenLease,
} from './session-store';
import type { QueuedRun, WaitingRun } from './queued-runs';
import type { Spending, UsageQuery, UsageSum } from './usage-ledger';

/** Sessions in this process's memory: gone with it, and shared with no other. */
class MemoryStore implements SessionStore {
  private readonly sessions = new Map<string, MemorySession>();
  private readonly runs = new Map<string, { readonly sessionId: string; readonly start: number }>();
  /** Those that were taken and not given back, by owner: some may have run out since. */
  private readonly taken = new Map<string, Set<MemorySession>>();
  private readonly ledger = new MemoryLedger();
  private usages = 0;

  create(created: NewSession): Promise<SessionRecord> {
    return answer(() => {
      const { id, parent: parentId } = created;
      if (this.sessions.has(id)) throw new SessionExistsError();
      const parent = parentId === undefined ? undefined : this.require(parentId);
      const session = newSession(created, parent, ++this.usages);
      this.sessions.set(id, session);
      parent?.children.add(session);
      return recordOf(session);
    });
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return answer(() => {
      const session = this.sessions.get(sessionId);
      return session && recordOf(session);
    });
  }

  findByRun(runId: string): Promise<RunRecord | undefined> {
    return answer(() => {
      const run = this.runs.get(runId);
      const session = run && this.sessions.get(run.sessionId);
      return session && { ...recordOf(session), runStart: run.start };
    });
  }

  list(
    owner: string,
    {
      limit,
      offset = 0,
      ...of
    }: AgentFilter & { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    return answer(() =>
      this.conversations(owner, of)
        .toSorted((a, b) => b.usage - a.usage)
        .slice(offset, limit === undefined ? undefined : offset + limit)
        .map(recordOf),
    );
  }

  read(
    sessionId: string,
    from = 1,
    { limit }: { readonly limit?: number } = {},
  ): Promise<readonly StoredEntry[]> {
    return answer(() => {
      const session = this.sessions.get(sessionId);
      if (!session) return [];
      const start = Math.max(from - session.firstPosition, 0);
      return session.entries
        .slice(start, limit === undefined ? undefined : start + limit)
        .map((entry, index) => ({ position: session.firstPosition + start + index, entry }));
    });
  }

  append(sessionId: string, options: AppendOptions): Promise<Appended> {
    const { lease, expectedVersion, entries, headline, readFrom, discardBefore, release } = options;
    return answer(() => {
      const session = this.require(sessionId);
      if (!holds(session, lease)) throw new LeaseLostError();
      if (versionOf(session) !== expectedVersion) throw new VersionConflictError();
      session.entries.push(...entries.map(copyOf));
      for (const [index, entry] of entries.entries()) {
        if (entry.type !== 'run.started') continue;
        session.runIds.push(entry.runId);
        session.deliveries.clear();
        this.runs.set(entry.runId, { sessionId, start: expectedVersion + index + 1 });
      }
      if (headline) session.headline = copyOf(headline);
      if (readFrom !== undefined) session.readFrom = readFrom;
      if (discardBefore) discard(session);
      delete session.draft;
      if (release) this.free(session);
      this.ledger.add(session.owner, options.spent ?? []);
      putQueued(session, options.queued);
      this.touch(session);
      return {
        version: versionOf(session),
        signals: signalsOf(session),
        ...(options.queued && { outstanding: this.outstandingBeside(session) }),
      };
    });
  }

  acquire(
    sessionId: string,
    ttlMs: number,
    { maxPerOwner }: { readonly maxPerOwner?: number } = {},
  ): Promise<TakenLease | undefined> {
    return answer(() => {
      const session = this.require(sessionId);
      const now = Date.now();
      if (session.leaseUntil > now) return undefined;
      if (maxPerOwner !== undefined && this.heldBeside(session) >= maxPerOwner) {
        throw new TooManyRunsError(maxPerOwner);
      }
      this.take(session, now + ttlMs);
      session.attendedUntil = 0;
      delete session.stop;
      return { sessionId, token: session.leaseToken, record: recordOf(session) };
    });
  }

  renew(lease: Lease, ttlMs: number, draft?: Draft): Promise<Renewed> {
    return answer(() => {
      const session = this.sessions.get(lease.sessionId);
      if (!session || !holds(session, lease)) return { isHeld: false, signals: {} };
      session.leaseUntil = Date.now() + ttlMs;
      if (draft) session.draft = copyOf(draft);
      return { isHeld: true, signals: signalsOf(session) };
    });
  }

  release(lease: Lease): Promise<void> {
    return answer(() => {
      const session = this.sessions.get(lease.sessionId);
      if (session && holds(session, lease)) this.free(session);
    });
  }

  requestStop(sessionId: string, runId: string): Promise<void> {
    return answer(() => {
      const session = this.sessions.get(sessionId);
      if (session && isHeld(session)) session.stop = runId;
    });
  }

  attend(sessionId: string, ttlMs: number): Promise<void> {
    return answer(() => {
      const session = this.sessions.get(sessionId);
      if (session && isHeld(session)) session.attendedUntil = Date.now() + ttlMs;
    });
  }

  deliver(sessionId: string, callId: string, delivery: JsonValue): Promise<boolean> {
    return answer(() => {
      const { deliveries } = this.sessions.get(sessionId) ?? {};
      if (deliveries === undefined || deliveries.has(callId)) return false;
      deliveries.set(callId, copyOf(delivery));
      return true;
    });
  }

  delivered(sessionId: string, callId: string): Promise<JsonValue | undefined> {
    return answer(() => this.sessions.get(sessionId)?.deliveries.get(callId));
  }

  delete(sessionId: string): Promise<boolean> {
    return answer(() => {
      const session = this.sessions.get(sessionId);
      if (session) this.remove(treeOf(session));
      return session !== undefined;
    });
  }

  deleteAll(owner?: string, of: AgentFilter = {}): Promise<number> {
    return answer(() => {
      const conversations = this.conversations(owner, of);
      this.remove(conversations.flatMap(treeOf));
      return conversations.length;
    });
  }

  deleteIdle(since: Date): Promise<readonly string[]> {
    return answer(() => {
      const idle = this.conversations()
        .filter(({ lastUsedAt }) => lastUsedAt < since.getTime())
        .map(treeOf)
        .filter((tree) => !tree.some(isHeld))
        .flat();
      this.remove(idle);
      return idle.map(({ id }) => id);
    });
  }

  count(owner?: string, of: AgentFilter = {}): Promise<number> {
    return answer(() => this.conversations(owner, of).length);
  }

  usage(query: UsageQuery): Promise<readonly UsageSum[]> {
    return answer(() => this.ledger.sums(query));
  }

  addUsage(owner: string | undefined, spent: readonly Spending[]): Promise<void> {
    return answer(() => this.ledger.add(owner, spent));
  }

  removeUsage(before: Date): Promise<void> {
    return answer(() => this.ledger.removeBefore(before));
  }

  queuedRuns(page: {
    readonly limit: number;
    readonly after?: string;
  }): Promise<readonly WaitingRun[]> {
    return answer(() => waitingRuns(this.sessions.values(), page));
  }

  queuedRun(sessionId: string): Promise<QueuedRun | undefined> {
    return answer(() => {
      const queued = this.sessions.get(sessionId)?.queued;
      return queued && copyOf(queued.run);
    });
  }

  private conversations(owner?: string, of: AgentFilter = {}): readonly MemorySession[] {
    return [...this.sessions.values()].filter((session) => isConversation(session, owner, of));
  }

  /** How many leases count beside a session's own; none of a session without an owner, or of a child. */
  private heldBeside({ owner, parent }: MemorySession): number {
    if (owner === undefined || parent) return 0;
    const held = [...(this.taken.get(owner) ?? [])].filter(isHeld);
    return (
      held.length + queuedOf(this.sessions.values(), owner).filter((other) => !isHeld(other)).length
    );
  }

  private outstandingBeside(session: MemorySession): number {
    const queued = queuedOf(this.sessions.values(), session.owner);
    return queued.filter((other) => other !== session).length;
  }

  private take(session: MemorySession, until: number): void {
    session.leaseToken += 1;
    session.leaseUntil = until;
    const { owner, parent } = session;
    if (owner === undefined || parent) return;
    const taken = this.taken.get(owner) ?? new Set();
    this.taken.set(owner, taken.add(session));
  }

  private free(session: MemorySession): void {
    session.leaseUntil = 0;
    const { owner = '' } = session;
    const taken = this.taken.get(owner);
    taken?.delete(session);
    if (taken?.size === 0) this.taken.delete(owner);
  }

  private require(sessionId: string): MemorySession {
    const session = this.sessions.get(sessionId);
    if (!session) throw new SessionNotFoundError();
    return session;
  }

  private touch(session: MemorySession): void {
    session.lastUsedAt = Date.now();
    session.usage = ++this.usages;
  }

  private remove(sessions: readonly MemorySession[]): void {
    for (const session of sessions) {
      this.free(session);
      for (const runId of session.runIds) this.runs.delete(runId);
      session.parent?.children.delete(session);
      this.sessions.delete(session.id);
    }
  }
}

/** Answers like a store that is elsewhere: errors come as rejections, never as a throw. */
function answer<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

/**
 * Keeps sessions in this process's memory: the default, for development, tests and single
 * processes that may forget. A restart loses everything, and no other process sees it.
 *
 * @example
 * AgentModule.forRoot({ sessions: { store: memoryStore() } });
 */
export function memoryStore(): SessionStore {
  return new MemoryStore();
}
