import { defined } from '../../internal';
import { copyOf, isHeld, type MemorySession } from './memory-session';
import type { QueuedRun, WaitingRun } from './queued-runs';

/** The sessions of a memory store that have a queued run, so that other sessions cost nothing. */
export class MemoryQueuedRuns {
  private readonly queued = new Set<MemorySession>();

  /** @param run `null` removes the session's run; `undefined` changes nothing */
  put(session: MemorySession, run: QueuedRun | null | undefined): void {
    if (run) {
      session.queued = { run: copyOf(run), since: Date.now() };
      this.queued.add(session);
    } else if (run === null) this.remove(session);
  }

  remove(session: MemorySession): void {
    delete session.queued;
    this.queued.delete(session);
  }

  /** An owner's sessions with a queued run; none without an owner. */
  of(owner: string | undefined): readonly MemorySession[] {
    if (owner === undefined) return [];
    return [...this.queued].filter((session) => session.owner === owner);
  }

  all(): Iterable<MemorySession> {
    return this.queued;
  }
}

/** The queued runs of one page. */
export function waitingRuns(
  sessions: Iterable<MemorySession>,
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
): readonly WaitingRun[] {
  return [...sessions]
    .flatMap(waitingRunOf)
    .filter(({ sessionId }) => sessionId > after)
    .toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1))
    .slice(0, limit);
}

function waitingRunOf(session: MemorySession): readonly WaitingRun[] {
  if (session.queued === undefined) return [];
  const { id: sessionId, owner, agent, queued } = session;
  const { runId, attempt, sealed } = queued.run;
  const waitedMs = Date.now() - queued.since;
  const waiting = { runId, attempt, sealed, sessionId, owner, agent, waitedMs };
  return [defined({ ...waiting, isHeld: isHeld(session) })];
}
