import { getOrAdd } from '../../internal';
import { SessionExistsError, SessionNotFoundError } from '../session-errors';
import { copyOf, isConversation, isHeld, MemorySession } from './memory-session';
import type { QueuedRun } from './queued-runs';
import type { AgentFilter, NewSession } from './session-store';

/** All sessions of a memory store, with their runs and leases. */
export class MemorySessions {
  private readonly sessions = new Map<string, MemorySession>();
  private readonly runs = new Map<string, { readonly sessionId: string; readonly start: number }>();
  /** By owner: the sessions with a queued run, or a lease that was not released but may have expired. */
  private readonly busy = new Map<string | undefined, Set<MemorySession>>();
  private usages = 0;

  /** @throws SessionExistsError @throws SessionNotFoundError for an unknown parent */
  create(created: NewSession): MemorySession {
    const { id, parent: parentId } = created;
    if (this.sessions.has(id)) throw new SessionExistsError();
    const parent = parentId === undefined ? undefined : this.require(parentId);
    const session = new MemorySession(created, parent, ++this.usages);
    this.sessions.set(id, session);
    parent?.children.add(session);
    return session;
  }

  find(sessionId: string): MemorySession | undefined {
    return this.sessions.get(sessionId);
  }

  /** @throws SessionNotFoundError */
  require(sessionId: string): MemorySession {
    const session = this.sessions.get(sessionId);
    if (!session) throw new SessionNotFoundError();
    return session;
  }

  conversations(owner?: string, of: AgentFilter = {}): readonly MemorySession[] {
    return [...this.sessions.values()].filter((session) => isConversation(session, owner, of));
  }

  /** The session of a run, and the position of its first entry. */
  findByRun(
    runId: string,
  ): { readonly session: MemorySession; readonly start: number } | undefined {
    const run = this.runs.get(runId);
    const session = run && this.sessions.get(run.sessionId);
    return session && { session, start: run.start };
  }

  /** @param start the position of the run's first entry */
  addRun(session: MemorySession, runId: string, start: number): void {
    session.runIds.push(runId);
    this.runs.set(runId, { sessionId: session.id, start });
  }

  /** Makes a session the last used one. */
  touch(session: MemorySession): void {
    session.lastUsedAt = Date.now();
    session.usage = ++this.usages;
  }

  lease(session: MemorySession, until: number): void {
    session.leaseToken += 1;
    session.leaseUntil = until;
    this.index(session);
  }

  free(session: MemorySession): void {
    session.leaseUntil = 0;
    this.index(session);
  }

  /** @param run `null` removes the session's run; `undefined` changes nothing */
  queue(session: MemorySession, run: QueuedRun | null | undefined): void {
    if (run) session.queued = { run: copyOf(run), since: performance.now() };
    else if (run === null) delete session.queued;
    this.index(session);
  }

  /** All sessions with a queued run, and others with a lease. */
  allBusy(): readonly MemorySession[] {
    return [...this.busy.values()].flatMap((sessions) => [...sessions]);
  }

  remove(sessions: readonly MemorySession[]): void {
    for (const session of sessions) {
      this.queue(session, null);
      this.free(session);
      for (const runId of session.runIds) this.runs.delete(runId);
      session.parent?.children.delete(session);
      this.sessions.delete(session.id);
    }
  }

  /** The owner's conversations with a valid lease or a queued run; none without an owner. */
  busyOf(owner: string | undefined): readonly MemorySession[] {
    if (owner === undefined) return [];
    return [...(this.busy.get(owner) ?? [])].filter(
      (session) => !session.parent && (isHeld(session) || isQueued(session)),
    );
  }

  private index(session: MemorySession): void {
    const sessions = getOrAdd(this.busy, session.owner, () => new Set());
    if (session.leaseUntil > 0 || isQueued(session)) sessions.add(session);
    else sessions.delete(session);
    if (sessions.size === 0) this.busy.delete(session.owner);
  }
}

export function isQueued({ queued }: MemorySession): boolean {
  return queued !== undefined;
}
