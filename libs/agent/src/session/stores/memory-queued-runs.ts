import { copyOf, isHeld, type MemorySession } from './memory-session';
import type { QueuedRun, WaitingRun } from './queued-runs';

/** @param run `null` removes the one there is; nothing changes where it is missing */
export function putQueued(session: MemorySession, run: QueuedRun | null | undefined): void {
  if (run) session.queued = { run: copyOf(run), since: Date.now() };
  else if (run === null) delete session.queued;
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

/** An owner's sessions with a queued run; none without an owner. */
export function queuedOf(
  sessions: Iterable<MemorySession>,
  owner: string | undefined,
): readonly MemorySession[] {
  if (owner === undefined) return [];
  return [...sessions].filter((session) => session.owner === owner && session.queued !== undefined);
}

function waitingRunOf(session: MemorySession): readonly WaitingRun[] {
  if (session.queued === undefined) return [];
  const { run, since } = session.queued;
  const { runId, attempt, sealed } = run;
  return [
    {
      runId,
      attempt,
      ...(sealed !== undefined && { sealed }),
      sessionId: session.id,
      ...(session.owner !== undefined && { owner: session.owner }),
      ...(session.agent !== undefined && { agent: session.agent }),
      waitedMs: Date.now() - since,
      isHeld: isHeld(session),
    },
  ];
}
