import type { RunContext } from '../context';
import {
  ActionConflictError,
  type ChatAction,
  isExpired,
  isResolved,
  matchAnswers,
  type PendingAnswer,
} from '../request';

/** The answers that asked agents wait for, by the calls that asked them. */
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
 * The answers that an asked agent's run still waits for. A process may have died after it stored one,
 * and before the run that asked did.
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
  // Only clients are refused what the application may answer, and the run that asked has checked.
  return open.length === 0 ? [] : matchAnswers(state, runId, open, true);
}

export function isTooLate({ action, answer }: PendingAnswer): boolean {
  return answer.type === 'approve' && isExpired(action);
}
