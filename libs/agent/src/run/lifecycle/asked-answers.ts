import type { RunContext } from '../context';
import {
  ActionConflictError,
  type ChatAction,
  isExpired,
  isResolved,
  matchAnswers,
  type PendingAnswer,
} from '../request';

/** Answers for asked agents, grouped by the calls that asked them. */
export function passedOn(
  answers: readonly PendingAnswer[],
): ReadonlyMap<string, readonly ChatAction[]> {
  const passed = new Map<string, ChatAction[]>();
  for (const { via, answer } of answers) {
    if (via !== undefined) passed.set(via, [...(passed.get(via) ?? []), answer]);
  }
  return passed;
}

/**
 * The answers that an asked agent's run still needs. A process may have died after it stored an answer
 * here, and before it stored that answer in the asking run.
 *
 * @throws ActionConflictError for an answer that differs from the stored one
 */
export function openAnswers(
  { runId, journal: { state } }: RunContext,
  answers: readonly ChatAction[],
): readonly PendingAnswer[] {
  const open = answers.filter(({ callId, type }) => {
    const known = state.actions.find(({ action }) => action.callId === callId);
    if (known === undefined || !isResolved(known)) return true;
    const stored = known.answer?.type ?? 'result';
    const isSame = stored === type || (stored === 'expire' && type === 'approve');
    if (!isSame && stored !== 'deliver') throw new ActionConflictError('already_resolved', callId);
    return false;
  });
  // `true`: the asking run has already checked which answers its client may give.
  return open.length === 0 ? [] : matchAnswers(state, runId, open, true);
}

export function isTooLate({ action, answer }: PendingAnswer): boolean {
  return answer.type === 'approve' && isExpired(action);
}
