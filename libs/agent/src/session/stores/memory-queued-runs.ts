import { defined } from '../../internal';
import { isHeld, type MemorySession } from './memory-session';
import type { WaitingRun } from './queued-runs';

/** The queued runs of one page; sessions without one are skipped. */
export function waitingRuns(
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
  const waitedMs = Date.now() - queued.since;
  const waiting = { runId, attempt, sealed, sessionId, owner, agent, waitedMs };
  return [defined({ ...waiting, isHeld: isHeld(session) })];
}
