import type { SessionEntry, StoredEntry } from './session-entry';
import {
  LeaseLostError,
  SessionExistsError,
  SessionNotFoundError,
  VersionConflictError,
} from './session-errors';
import type { AppendOptions, Lease, SessionRecord, SessionStore } from './session-store';

interface MemorySession {
  readonly id: string;
  readonly owner: string | undefined;
  readonly createdAt: number;
  lastUsedAt: number;
  /** Orders sessions used within the same millisecond. */
  usage: number;
  /** Position of `entries[0]`; grows where what stands before a checkpoint is discarded. */
  firstPosition: number;
  entries: SessionEntry[];
  readFrom: number;
  leaseToken: number;
  leaseUntil: number;
  readonly runIds: string[];
}

/** Sessions in this process's memory: gone with it, and shared with no other. */
class MemoryStore implements SessionStore {
  private readonly sessions = new Map<string, MemorySession>();
  private readonly sessionOfRun = new Map<string, string>();
  private usages = 0;

  create({ id, owner }: { readonly id: string; readonly owner?: string }): Promise<SessionRecord> {
    return answer(() => {
      if (this.sessions.has(id)) throw new SessionExistsError();
      const now = Date.now();
      const session: MemorySession = {
        id,
        owner,
        createdAt: now,
        lastUsedAt: now,
        usage: ++this.usages,
        firstPosition: 1,
        entries: [],
        readFrom: 1,
        leaseToken: 0,
        leaseUntil: 0,
        runIds: [],
      };
      this.sessions.set(id, session);
      return recordOf(session);
    });
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return answer(() => {
      const session = this.sessions.get(sessionId);
      return session && recordOf(session);
    });
  }

  findByRun(runId: string): Promise<SessionRecord | undefined> {
    const sessionId = this.sessionOfRun.get(runId);
    return sessionId === undefined ? Promise.resolve(undefined) : this.find(sessionId);
  }

  list(
    owner: string,
    { limit, offset = 0 }: { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    return answer(() =>
      [...this.sessions.values()]
        .filter((session) => session.owner === owner)
        .sort((a, b) => b.usage - a.usage)
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

  append(
    sessionId: string,
    { lease, expectedVersion, entries, checkpoint, discardBefore }: AppendOptions,
  ): Promise<number> {
    return answer(() => {
      const session = this.require(sessionId);
      if (!holds(session, lease)) throw new LeaseLostError();
      if (versionOf(session) !== expectedVersion) throw new VersionConflictError();
      session.entries.push(...entries.map(copyOf));
      for (const entry of entries) {
        if (entry.type !== 'run.started') continue;
        session.runIds.push(entry.runId);
        this.sessionOfRun.set(entry.runId, sessionId);
      }
      if (checkpoint && entries.length > 0) session.readFrom = expectedVersion + 1;
      if (discardBefore) discard(session);
      this.touch(session);
      return versionOf(session);
    });
  }

  acquire(sessionId: string, ttlMs: number): Promise<Lease | undefined> {
    return answer(() => {
      const session = this.require(sessionId);
      const now = Date.now();
      if (session.leaseUntil > now) return undefined;
      session.leaseToken += 1;
      session.leaseUntil = now + ttlMs;
      return { sessionId, token: session.leaseToken };
    });
  }

  renew(lease: Lease, ttlMs: number): Promise<boolean> {
    return answer(() => {
      const session = this.sessions.get(lease.sessionId);
      if (!session || !holds(session, lease)) return false;
      session.leaseUntil = Date.now() + ttlMs;
      return true;
    });
  }

  release(lease: Lease): Promise<void> {
    return answer(() => {
      const session = this.sessions.get(lease.sessionId);
      if (session && holds(session, lease)) session.leaseUntil = 0;
    });
  }

  delete(sessionId: string): Promise<boolean> {
    return answer(() => this.remove(sessionId));
  }

  deleteAll(owner?: string): Promise<number> {
    return answer(() => this.removeWhere((session) => isOwnedBy(session, owner)).length);
  }

  deleteIdle(since: Date): Promise<readonly string[]> {
    return answer(() => {
      const now = Date.now();
      return this.removeWhere(
        (session) => session.lastUsedAt < since.getTime() && session.leaseUntil <= now,
      );
    });
  }

  count(owner?: string): Promise<number> {
    return answer(() => {
      if (owner === undefined) return this.sessions.size;
      let count = 0;
      for (const session of this.sessions.values()) if (session.owner === owner) count += 1;
      return count;
    });
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

  private remove(sessionId: string): boolean {
    for (const runId of this.sessions.get(sessionId)?.runIds ?? []) this.sessionOfRun.delete(runId);
    return this.sessions.delete(sessionId);
  }

  private removeWhere(matches: (session: MemorySession) => boolean): readonly string[] {
    const ids = [...this.sessions.values()].filter(matches).map(({ id }) => id);
    for (const id of ids) this.remove(id);
    return ids;
  }
}

/** Answers like a store that is elsewhere: errors come as rejections, never as a throw. */
function answer<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

/** As a database would keep it: what a tool does to its arguments later stays out of the journal. */
function copyOf(entry: SessionEntry): SessionEntry {
  return JSON.parse(JSON.stringify(entry)) as SessionEntry;
}

function versionOf(session: MemorySession): number {
  return session.firstPosition + session.entries.length - 1;
}

function holds(session: MemorySession, lease: Lease): boolean {
  return session.leaseToken === lease.token && session.leaseUntil > Date.now();
}

function isOwnedBy(session: MemorySession, owner: string | undefined): boolean {
  return owner === undefined || session.owner === owner;
}

function discard(session: MemorySession): void {
  session.entries = session.entries.slice(session.readFrom - session.firstPosition);
  session.firstPosition = session.readFrom;
}

function recordOf(session: MemorySession): SessionRecord {
  return {
    id: session.id,
    ...(session.owner !== undefined && { owner: session.owner }),
    createdAt: new Date(session.createdAt),
    lastUsedAt: new Date(session.lastUsedAt),
    version: versionOf(session),
    readFrom: session.readFrom,
  };
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
