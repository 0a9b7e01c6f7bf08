import type { PendingAction } from '../../message';
import { approvalReason } from '../../session';

/** The exact schema for which assistant-ui shows its buttons. */
const RESPONSE_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    reason: { type: 'string' },
    editedArgs: { type: 'object' },
  },
  required: ['approved'],
} as const;

/** The actions of one kind that the client can still answer. */
export function openActions(
  kind: 'approval' | 'frontend',
  actions: readonly PendingAction[],
): readonly PendingAction[] {
  return actions.filter(
    ({ type, expiresAt }) => type === kind && Date.parse(expiresAt) > Date.now(),
  );
}

/** Approvals as `RUN_FINISHED` lists them. */
export function interruptsOf(approvals: readonly PendingAction[]) {
  return approvals.map(({ callId, name, expiresAt }) => ({
    id: callId,
    reason: 'tool_call',
    toolCallId: callId,
    message: approvalReason(name),
    expiresAt,
    responseSchema: RESPONSE_SCHEMA,
  }));
}
