import type { AuditedApproval, Settlement, ToolCallFactory } from '../../invocation';
import type { CallOutcome, ResultContent, ToolUseBlock } from '../../message';
import { wasApproved, type ActionState, type SessionEntry, type SessionState } from '../../session';
import type { ToolResponse } from '../../tool';
import type { NewEntry } from '../record';
import { callContextOf, type RunContext } from './run-context';

/** What a call came to. */
export interface CallResult {
  readonly content: ResultContent;
  readonly isError: boolean;
  readonly durationMs: number;
  readonly outcome: CallOutcome;
}

/** A call that gets its result without being run here. */
export interface EndedCall {
  readonly call: Pick<ToolUseBlock, 'id' | 'name' | 'input'>;
  readonly settlement: Settlement;
  readonly approval?: AuditedApproval;
  /** Whether it is a result that somebody else delivered. */
  readonly isDelivered?: boolean;
}

export function resultOf(settlement: Settlement): CallResult {
  const { status, content } = settlement;
  return {
    content,
    isError: status !== 'executed',
    durationMs: 0,
    outcome: outcomeOf(settlement),
  };
}

/** What a settled call came to. */
export function outcomeOf({ status, error }: Pick<ToolResponse, 'status' | 'error'>): CallOutcome {
  if (error?.code === 'expired') return 'expired';
  if (status === 'executed') return 'ok';
  return status === 'declined' || status === 'interrupted' ? status : 'error';
}

/** The one entry by which a call gets its result. */
export function resultEntry(
  runId: string,
  callId: string,
  { content, isError, durationMs, outcome }: CallResult,
): SessionEntry {
  return {
    type: 'call.settled',
    runId,
    result: { type: 'tool_result', tool_use_id: callId, content, is_error: isError },
    durationMs,
    outcome,
  };
}

/** What is written together with the results of calls that are not run. */
interface EndingEntries {
  readonly before?: readonly NewEntry[];
  readonly after?: readonly NewEntry[];
  /** The journal's `append` by default. */
  readonly write?: (...entries: readonly NewEntry[]) => Promise<void>;
}

/**
 * Gives calls their results that are not run here, between other entries. They are on record from
 * the moment they are stored: an end that could not be stored is none.
 */
export async function endCalls(
  run: RunContext,
  calls: ToolCallFactory,
  ended: readonly EndedCall[],
  {
    before = [],
    after = [],
    write = (...entries) => run.journal.append(...entries),
  }: EndingEntries = {},
): Promise<void> {
  const { runId } = run;
  const results = ended.map(({ call, settlement }) =>
    resultEntry(runId, call.id, resultOf(settlement)),
  );
  await write(...before, ...results, ...after);
  for (const { call, settlement, approval, isDelivered } of ended) {
    const options = { ...callContextOf(run), callId: call.id };
    calls.conclude(call, options, settlement, approval, isDelivered);
  }
}

/** What the run asked of its owner for a call, and the answer, where there were such. */
export function actionOf({ actions }: SessionState, callId: string): ActionState | undefined {
  return actions.find(({ action }) => action.callId === callId);
}

/** Whether the question of a call was put to somebody else. */
export function isAskedOutside(state: SessionState, callId: string): boolean {
  return actionOf(state, callId)?.action.type === 'external';
}

/** Whose word an open call has, where nobody refuses it. */
export function approvalOf(state: SessionState, callId: string): 'approved' | 'none' {
  const asked = actionOf(state, callId);
  return asked !== undefined && wasApproved(asked) ? 'approved' : 'none';
}
