import type { PendingAction } from '../../message';
import { actionOf, type ActionState, type SessionState } from '../../session';
import type { ChatAction } from './chat-input';
import { ActionConflictError, InvalidInputError } from './run-errors';

export interface PendingAnswer {
  readonly action: PendingAction;
  readonly answer: ChatAction;
  /** The call whose agent waits for it; missing if the run itself waits. */
  readonly via?: string;
}

type Answerer = 'client' | 'application';

/**
 * Matches answers with pending actions; accepts all of them, or none.
 *
 * @param by who answers: `external` calls wait for the application
 * @throws ActionConflictError `already_resolved` for a second answer, `not_pending` if the call
 * does not wait for such an answer
 * @throws InvalidInputError for contradictory answers
 */
export function matchAnswers(
  state: SessionState,
  runId: string,
  answers: readonly ChatAction[],
  by: Answerer = 'client',
): readonly PendingAnswer[] {
  if (answers.length === 0)
    throw new InvalidInputError('"actions" must contain at least one action.');
  const ids = new Set(answers.map(({ callId }) => callId));
  if (ids.size < answers.length) {
    throw new InvalidInputError('"actions" answers the same call twice.');
  }
  return answers.map((answer) => {
    checkAnswer(answer);
    const known = actionOf(state, answer.callId);
    if (known?.runId === runId && isResolved(known))
      throw new ActionConflictError('already_resolved', answer.callId);
    if (
      state.run?.runId !== runId ||
      state.run.status !== 'requires_action' ||
      known?.runId !== runId ||
      !fits(known.action, answer, by)
    ) {
      throw new ActionConflictError('not_pending', answer.callId);
    }
    return { action: known.action, answer, ...(known.via !== undefined && { via: known.via }) };
  });
}

export function isResolved({ answer, settled }: ActionState): boolean {
  return answer !== undefined || settled;
}

function fits({ type }: PendingAction, answer: ChatAction, by: Answerer): boolean {
  switch (type) {
    case 'approval':
      return answer.type !== 'result';
    case 'frontend':
      return answer.type === 'result';
    case 'external':
      return answer.type === 'result' && by === 'application';
  }
}

function checkAnswer({ type, input, remember, result, error, reason, callId }: ChatAction): void {
  const refuse = (what: string): never => {
    throw new InvalidInputError(`The answer to "${callId}" ${what}.`);
  };
  if (remember && input !== undefined) {
    refuse('cannot be remembered, because its input was edited: leave "remember" or "input" out');
  }
  if (type !== 'approve' && (input !== undefined || remember !== undefined)) {
    refuse('may have "input" and "remember" only where it approves');
  }
  if (type !== 'reject' && reason !== undefined)
    refuse('may have a "reason" only where it rejects');
  if (type !== 'result' && (result !== undefined || error !== undefined)) {
    refuse('may have "result" and "error" only where its type is "result"');
  }
  if (result !== undefined && error !== undefined) refuse('has both a "result" and an "error"');
}

export function isExpired({ expiresAt }: PendingAction): boolean {
  return Date.parse(expiresAt) <= Date.now();
}
