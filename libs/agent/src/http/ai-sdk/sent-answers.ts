import { firstChars } from '../../internal';
import { isJsonObject, type JsonObject, type PendingAction } from '../../message';
import type { ChatAction } from '../../run';
import type { SentAnswer } from './sent-parts';

const MAX_REASON = 2_000;
const MAX_ERROR = 20_000;

/**
 * The client's answers to the pending actions. Only pending calls are looked at, so that nothing
 * else in the client's message can have an effect.
 */
export function actionsOf(
  { parts }: SentAnswer,
  pending: readonly PendingAction[],
): readonly ChatAction[] {
  const sent = new Map(parts.filter(isJsonObject).map((part) => [part['toolCallId'], part]));
  return pending.flatMap((action) => {
    const part = sent.get(action.callId);
    const answer = part && answerIn(part, action);
    return answer ? [answer] : [];
  });
}

function answerIn(part: JsonObject, { type, callId }: PendingAction): ChatAction | undefined {
  switch (type) {
    case 'approval':
      return part['state'] === 'approval-responded' ? decisionIn(part, callId) : undefined;
    case 'frontend':
      return resultIn(part, callId);
    case 'external':
      return undefined;
  }
}

function decisionIn({ approval }: JsonObject, callId: string): ChatAction | undefined {
  if (!isJsonObject(approval)) return undefined;
  const { approved, reason } = approval;
  if (approved === true) return { callId, type: 'approve' };
  if (approved !== false) return undefined;
  const isGiven = typeof reason === 'string' && reason.trim() !== '';
  return { callId, type: 'reject', ...(isGiven && { reason: firstChars(reason, MAX_REASON) }) };
}

function resultIn(
  { state, output, errorText }: JsonObject,
  callId: string,
): ChatAction | undefined {
  if (state === 'output-available') return { callId, type: 'result', result: output ?? null };
  if (state !== 'output-error') return undefined;
  const isGiven = typeof errorText === 'string' && errorText !== '';
  const error = isGiven ? firstChars(errorText, MAX_ERROR) : 'The tool failed.';
  return { callId, type: 'result', error };
}
