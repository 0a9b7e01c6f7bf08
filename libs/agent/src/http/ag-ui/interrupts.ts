import type { PendingAction } from '../../message';
import { approvalReason } from '../../session';

/** An interrupt, as `RUN_FINISHED` lists it. */
export interface Interrupt {
  readonly id: string;
  readonly reason: 'tool_call';
  readonly toolCallId: string;
  readonly message: string;
  readonly expiresAt: string;
  readonly responseSchema: typeof RESPONSE_SCHEMA;
}

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

/** The approvals that can still be given. */
export function openApprovals(actions: readonly PendingAction[]): readonly PendingAction[] {
  return actions.filter(({ type, expiresAt }) => type === 'approval' && isOpen(expiresAt));
}

/** The calls that the client's own tools have to answer. */
export function openFrontendCalls(actions: readonly PendingAction[]): readonly PendingAction[] {
  return actions.filter(({ type, expiresAt }) => type === 'frontend' && isOpen(expiresAt));
}

export function interruptsOf(approvals: readonly PendingAction[]): readonly Interrupt[] {
  return approvals.map(({ callId, name, expiresAt }) => ({
    id: callId,
    reason: 'tool_call',
    toolCallId: callId,
    message: approvalReason(name),
    expiresAt,
    responseSchema: RESPONSE_SCHEMA,
  }));
}

function isOpen(expiresAt: string): boolean {
  return Date.parse(expiresAt) > Date.now();
}
