import { getOrAdd } from '../../internal';
import { actionOf, type ActionState } from '../../session';
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
export function byAskingCall(
  answers: readonly PendingAnswer[],
): ReadonlyMap<string, readonly ChatAction[]> {
  const grouped = new Map<string, ChatAction[]>();
  for (const { via, answer } of answers) {
    if (via !== undefined) getOrAdd(grouped, via, () => []).push(answer);
  }
  return grouped;
}

/**
 * The answers that an asked agent's run still needs. A process may have died after it stored an answer
 * here, and before it stored that answer in the asking run: then the user is asked again, and the later
 * answer counts.
 *
 * @throws ActionConflictError for an answer to a call that has ended with another one
 */
export function openAnswers(
  { runId, journal: { state } }: RunContext,
  answers: readonly ChatAction[],
): readonly PendingAnswer[] {
  const isWaiting = state.run?.runId === runId && state.run.status === 'requires_action';
  const open: ChatAction[] = [];
  const repeated: PendingAnswer[] = [];
  for (const answer of answers) {
    const { callId, type } = answer;
    const known = actionOf(state, callId);
    if (known === undefined || !isResolved(known)) {
      open.push(answer);
    } else if (isWaiting && !known.settled && known.answer?.type === 'approve') {
      repeated.push(repeatedAnswer(known, answer, known.answer.input !== undefined));
    } else {
      const stored = known.answer?.type ?? 'result';
      const isSame = stored === type || (stored === 'expire' && type === 'approve');
      if (!isSame && stored !== 'deliver')
        throw new ActionConflictError('already_resolved', callId);
    }
  }
  // The asking run has already checked which answers its client may give.
  const matched = open.length === 0 ? [] : matchAnswers(state, runId, open, 'application');
  return [...matched, ...repeated];
}

/** Another answer to an approved call that has not run. @param isEdited whether its input was edited */
function repeatedAnswer(
  { action, via }: ActionState,
  answer: ChatAction,
  isEdited: boolean,
): PendingAnswer {
  if (via !== undefined) return { action, answer, via };
  const isShown = isEdited && answer.type === 'approve' && answer.input === undefined;
  return { action, answer: isShown ? { ...answer, input: action.input } : answer };
}

export function isTooLate({ action, answer }: PendingAnswer): boolean {
  return answer.type === 'approve' && isExpired(action);
}
