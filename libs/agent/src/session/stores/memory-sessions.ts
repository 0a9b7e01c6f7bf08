import { SessionExistsError, SessionNotFoundError } from '../session-errors';
import { MemoryLeases } from './memory-leases';
import { MemoryQueuedRuns } from './memory-queued-runs';
import { isConversation, isHeld, type MemorySession, newSession } from './memory-session';
import type { AgentFilter, NewSession } from './session-store';

/** All sessions of a memory store, with their runs and leases. */
export class MemorySessions {
  readonly leases = new MemoryLeases();
  readonly queued = new MemoryQueuedRuns();
  private readonly sessions = new Map<string, MemorySession>();
  private readonly runs = new Map<string, { readonly sessionId: string; readonly start: number }>();
  private usages = 0;

  /** @throws SessionExistsError @throws SessionNotFoundError for an unknown parent */
  create(created: NewSession): MemorySession {
    const { id, parent: parentId } = created;
    if (this.sessions.has(id)) throw new SessionExistsError();
    const parent = parentId === undefined ? undefined : this.require(parentId);
    const session = newSession(created, parent, ++this.usages);
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

  remove(sessions: readonly MemorySession[]): void {
    for (const session of sessions) {
      this.leases.free(session);
      this.queued.remove(session);
      for (const runId of session.runIds) this.runs.delete(runId);
      session.parent?.children.delete(session);
      this.sessions.delete(session.id);
    }
  }

  /** The number of the owner's other leases; 0 without an owner, or for a child session. */
  heldBeside({ owner, parent }: MemorySession): number {
    if (owner === undefined || parent) return 0;
    const queued = this.queued.of(owner).filter((other) => !isHeld(other));
    return this.leases.heldBy(owner).length + queued.length;
  }

  /** The number of the owner's other sessions with a queued run. */
  queuedBeside(session: MemorySession): number {
    return this.queued.of(session.owner).filter((other) => other !== session).length;
  }
}
