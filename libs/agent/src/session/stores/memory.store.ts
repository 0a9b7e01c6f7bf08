import type { JsonValue } from '../../message';
import type { Draft, StoredEntry } from '../record';
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
import { waitingRuns } from './memory-queued-runs';
import { MemorySessions } from './memory-sessions';
import type {
  AgentFilter,
  Appended,
  AppendOptions,
  Lease,
  LeaseLimit,
  NewSession,
  Renewed,
  RunRecord,
  SessionRecord,
  SessionStore,
  TakenLease,
} from './session-store';
import type { QueuedRun, WaitingRun } from './queued-runs';
import type { Spending, UsageQuery, UsageSum } from './usage-ledger';

/** Sessions in this process's memory: lost with it, and not shared with other processes. */
class MemoryStore implements SessionStore {
  private readonly sessions = new MemorySessions();
  private readonly ledger = new MemoryLedger();

  create(created: NewSession): Promise<SessionRecord> {
    return answer(() => recordOf(this.sessions.create(created)));
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return answer(() => {
      const session = this.sessions.find(sessionId);
      return session && recordOf(session);
    });
  }

  findByRun(runId: string): Promise<RunRecord | undefined> {
    return answer(() => {
      const found = this.sessions.findByRun(runId);
      return found && { ...recordOf(found.session), runStart: found.start };
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
      this.sessions
        .conversations(owner, of)
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
      const session = this.sessions.find(sessionId);
      return session ? entriesFrom(session, from, limit) : [];
    });
  }

  append(sessionId: string, options: AppendOptions): Promise<Appended> {
    const { lease, expectedVersion, entries, headline, readFrom, discardBefore, release } = options;
    return answer(() => {
      const session = this.sessions.require(sessionId);
      if (!holds(session, lease)) throw new LeaseLostError();
      if (versionOf(session) !== expectedVersion) throw new VersionConflictError();
      session.entries.push(...copyOf(entries));
      for (const [index, entry] of entries.entries()) {
        if (entry.type !== 'run.started') continue;
        session.deliveries.clear();
        this.sessions.addRun(session, entry.runId, expectedVersion + index + 1);
      }
      if (headline) session.headline = copyOf(headline);
      if (readFrom !== undefined) session.readFrom = readFrom;
      if (discardBefore) discard(session);
      delete session.draft;
      if (release) this.sessions.leases.free(session);
      this.ledger.add(session.owner, options.spent ?? []);
      this.sessions.queued.put(session, options.queued);
      this.sessions.touch(session);
      return {
        version: versionOf(session),
        signals: signalsOf(session),
        ...(options.queued && { outstanding: this.sessions.queuedBeside(session) }),
      };
    });
  }

  acquire(sessionId: string, ttlMs: number, limit?: LeaseLimit): Promise<TakenLease | undefined> {
    return answer(() => {
      const session = this.sessions.require(sessionId);
      return isHeld(session) ? undefined : this.take(session, ttlMs, limit);
    });
  }

  acquireNew(created: NewSession, ttlMs: number, limit?: LeaseLimit): Promise<TakenLease> {
    return answer(() => {
      const session = this.sessions.create(created);
      try {
        return this.take(session, ttlMs, limit);
      } catch (error) {
        this.sessions.remove([session]);
        throw error;
      }
    });
  }

  renew(lease: Lease, ttlMs: number, draft?: Draft): Promise<Renewed> {
    return answer(() => {
      const session = this.sessions.find(lease.sessionId);
      if (!session || !holds(session, lease)) return { isHeld: false, signals: {} };
      session.leaseUntil = Date.now() + ttlMs;
      if (draft) session.draft = copyOf(draft);
      return { isHeld: true, signals: signalsOf(session) };
    });
  }

  release(lease: Lease): Promise<void> {
    return answer(() => {
      const session = this.sessions.find(lease.sessionId);
      if (session && holds(session, lease)) this.sessions.leases.free(session);
    });
  }

  requestStop(sessionId: string, runId: string): Promise<void> {
    return answer(() => {
      const session = this.sessions.find(sessionId);
      if (session && isHeld(session)) session.stop = runId;
    });
  }

  attend(sessionId: string, ttlMs: number): Promise<void> {
    return answer(() => {
      const session = this.sessions.find(sessionId);
      if (session && isHeld(session)) session.attendedUntil = Date.now() + ttlMs;
    });
  }

  deliver(sessionId: string, callId: string, delivery: JsonValue): Promise<boolean> {
    return answer(() => {
      const { deliveries } = this.sessions.find(sessionId) ?? {};
      if (deliveries === undefined || deliveries.has(callId)) return false;
      deliveries.set(callId, copyOf(delivery));
      return true;
    });
  }

  delivered(sessionId: string, callId: string): Promise<JsonValue | undefined> {
    return answer(() => this.sessions.find(sessionId)?.deliveries.get(callId));
  }

  delete(sessionId: string): Promise<boolean> {
    return answer(() => {
      const session = this.sessions.find(sessionId);
      if (session) this.sessions.remove(treeOf(session));
      return session !== undefined;
    });
  }

  deleteAll(owner?: string, of: AgentFilter = {}): Promise<number> {
    return answer(() => {
      const conversations = this.sessions.conversations(owner, of);
      this.sessions.remove(conversations.flatMap(treeOf));
      return conversations.length;
    });
  }

  deleteIdle(since: Date): Promise<readonly string[]> {
    return answer(() => {
      const idle = this.sessions
        .conversations()
        .filter(({ lastUsedAt }) => lastUsedAt < since.getTime())
        .map(treeOf)
        .filter((tree) => !tree.some(isHeld))
        .flat();
      this.sessions.remove(idle);
      return idle.map(({ id }) => id);
    });
  }

  count(owner?: string, of: AgentFilter = {}): Promise<number> {
    return answer(() => this.sessions.conversations(owner, of).length);
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
    return answer(() => waitingRuns(this.sessions.queued.all(), page));
  }

  queuedRun(sessionId: string): Promise<QueuedRun | undefined> {
    return answer(() => {
      const queued = this.sessions.find(sessionId)?.queued;
      return queued && copyOf(queued.run);
    });
  }

  /** @throws TooManyRunsError */
  private take(
    session: MemorySession,
    ttlMs: number,
    { maxPerOwner = Infinity }: LeaseLimit = {},
  ): TakenLease {
    if (this.sessions.heldBeside(session) >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
    this.sessions.leases.take(session, Date.now() + ttlMs);
    session.attendedUntil = 0;
    delete session.stop;
    return { sessionId: session.id, token: session.leaseToken, record: recordOf(session) };
  }
}

/** Behaves like a remote store: errors are rejections, never thrown. */
function answer<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

/**
 * Keeps sessions in this process's memory: the default, for development, tests and single processes
 * that may lose data. A restart loses everything, and no other process sees it.
 *
 * @example
 * AgentModule.forRoot({ sessions: { store: memoryStore() } });
 */
export function memoryStore(): SessionStore {
  return new MemoryStore();
}

/** Whether sessions are lost with this process. @internal */
export function isMemoryStore(store: SessionStore): boolean {
  return store instanceof MemoryStore;
}
