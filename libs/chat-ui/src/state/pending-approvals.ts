import type { RunSnapshot } from '../wire/protocol';
import { applyEvent } from './apply-event';
import type { AgentTurn } from './chat-state';

/** A stored turn with what its run waits for. */
export function withApprovals(turn: AgentTurn, pending: RunSnapshot['pendingActions']): AgentTurn {
  let next = turn;
  for (const { type, callId, name, input, expiresAt } of pending) {
    if (type !== 'approval') continue;
    const seq = next.seq + 1;
    const reason = 'It waits for your consent.';
    const { runId = '' } = turn;
    next = applyEvent(
      next,
      { type: 'approval.required', callId, name, input, expiresAt, reason, runId, seq },
      Date.now(),
    );
  }
  return { ...next, seq: 0 };
}
