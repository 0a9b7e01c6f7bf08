import type { CallOutcome } from '../../../message';
import type { ToolResponse } from '../../../tool';

/** The end of a call, as far as its outcome needs it. */
type CallEnd = Pick<ToolResponse, 'status' | 'error'>;

export function callOutcomeOf(end: CallEnd): CallOutcome {
  return end.status === 'executed' ? 'ok' : failedOutcomeOf(end);
}

/** The outcome of a call that was not executed. */
export function failedOutcomeOf({ status, error }: CallEnd): Exclude<CallOutcome, 'ok'> {
  if (error?.code === 'expired') return 'expired';
  return status === 'declined' || status === 'interrupted' ? status : 'error';
}
