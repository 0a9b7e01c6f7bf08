import type { AuditedApproval, Settlement, ToolCallFactory } from '../invocation';
import { toolUsesOf, type AgentEventBody, type ResultContent, type ToolUseBlock } from '../message';
import { wasApproved, type ActionState, type SessionEntry, type SessionState } from '../session';
import { callContextOf, type RunContext } from './run-context';

/** What a call came to. */
export interface CallResult {
  readonly content: ResultContent;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** A call that gets its result without being run here. */
export interface EndedCall {
  readonly call: Pick<ToolUseBlock, 'id' | 'name' | 'input'>;
  readonly settlement: Settlement;
  readonly approval?: AuditedApproval;
}

export function resultOf({ status, content }: Settlement): CallResult {
  return { content, isError: status !== 'executed', durationMs: 0 };
}

/** The one entry by which a call gets its result. */
export function resultEntry(
  runId: string,
  callId: string,
  { content, isError, durationMs }: CallResult,
): SessionEntry {
  return {
    type: 'call.settled',
    runId,
    result: { type: 'tool_result', tool_use_id: callId, content, is_error: isError },
    durationMs,
  };
}

export function resultEvent(
  { id: callId, name }: Pick<ToolUseBlock, 'id' | 'name'>,
  { content: output, isError, durationMs }: CallResult,
): AgentEventBody {
  return { type: 'tool.result', callId, name, output, isError, durationMs };
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
  }: { before?: readonly SessionEntry[]; after?: readonly SessionEntry[] } = {},
): Promise<void> {
  const { runId, journal } = run;
  const results = ended.map(({ call, settlement }) =>
    resultEntry(runId, call.id, resultOf(settlement)),
  );
  await journal.append(...before, ...results, ...after);
  for (const { call, settlement, approval } of ended) {
    calls.conclude(call, { ...callContextOf(run), callId: call.id }, settlement, approval);
  }
}

/** Tells the run's readers what became of the calls that it waited for and that do not run now. */
export function announceAnswered({ journal, log }: RunContext): void {
  const { messages, actions, run } = journal.state;
  const asking = messages.findLast(({ role }) => role === 'assistant');
  const ids = new Set(asking && toolUsesOf(asking).map(({ id }) => id));
  for (const { action, settled } of actions) {
    // Those of earlier waits were told of then.
    if (!settled || !ids.has(action.callId)) continue;
    const call = run?.calls.findLast(({ id }) => id === action.callId);
    if (call?.output === undefined) continue;
    const { output: content, isError = false, durationMs = 0 } = call;
    log.push(resultEvent(call, { content, isError, durationMs }));
  }
}

/** What the run asked of its owner for a call, and the answer, where there were such. */
export function actionOf({ actions }: SessionState, callId: string): ActionState | undefined {
  return actions.find(({ action }) => action.callId === callId);
}

/** Whose word an open call has, where nobody refuses it. */
export function approvalOf(state: SessionState, callId: string): 'approved' | 'none' {
  const asked = actionOf(state, callId);
  return asked !== undefined && wasApproved(asked) ? 'approved' : 'none';
}
