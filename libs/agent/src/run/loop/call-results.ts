import {
  type AuditedApproval,
  callOutcomeOf,
  type Settlement,
  type ToolCallFactory,
  shownInput,
} from '../../invocation';
import type { JsonObject, ResultContent, ToolUseBlock, PendingAction } from '../../message';
import {
  actionOf,
  type OpenCall,
  placeOfCall,
  wasApproved,
  type SessionEntry,
  type SessionState,
  type AnnouncedCall,
} from '../../session';
import { isRepeatable, type ToolResponse, type Tool } from '../../tool';
import type { NewEntry } from '../record';
import { callContextOf, type RunContext } from '../context';

/** A call that ends without an execution here. */
export interface EndedCall {
  readonly call: Pick<ToolUseBlock, 'id' | 'name' | 'input'>;
  readonly settlement: Settlement;
  /** As the journal has it by default. */
  readonly approval?: AuditedApproval;
  /** Whether the settlement is a delivered result. */
  readonly isDelivered?: boolean;
}

/** The entry of a call's result. @param durationMs 0 if it was not executed here */
export function resultEntry(
  runId: string,
  callId: string,
  end: Pick<ToolResponse, 'status' | 'error'>,
  content: ResultContent,
  durationMs = 0,
): SessionEntry {
  const result = { type: 'tool_result', tool_use_id: callId, content } as const;
  return {
    type: 'call.settled',
    runId,
    result: { ...result, is_error: end.status !== 'executed' },
    durationMs,
    outcome: callOutcomeOf(end),
  };
}

/** Entries written together with the results of ended calls. */
interface EndingEntries {
  readonly before?: readonly NewEntry[];
  readonly after?: readonly NewEntry[];
  /** The journal's `append` by default. */
  readonly write?: (...entries: readonly NewEntry[]) => Promise<void>;
}

/**
 * Stores the results of calls that are not executed here, between other entries. Each call gets its
 * audit record after it is stored.
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
  const { state: asked } = run.journal;
  // First, so that no pending action of an asked agent outlives the call that asked it.
  const answered = await run.asking.conclude(
    run,
    ended.map(({ call }) => call),
  );
  // A call that asked an agent ends as the agent's run does.
  const known = ended.map((each) => {
    const answer = answered.get(each.call.id);
    const isBegun = () =>
      asked.openCalls.some(({ call, started }) => started && call.id === each.call.id);
    return answer && isBegun() ? { ...each, settlement: answer } : each;
  });
  const results = known.map(({ call, settlement }) =>
    resultEntry(runId, call.id, settlement, settlement.content),
  );
  await write(...before, ...results, ...after);
  for (const { call, settlement, approval = approvalOf(asked, call.id), isDelivered } of known) {
    const { state } = run.journal;
    const options = { ...callContextOf(run), callId: call.id, ...shownBefore(state, call.id) };
    calls.conclude(call, options, settlement, approval, isDelivered);
  }
}

/** Whether the call waits for an external answer. */
export function isAskedOutside(state: SessionState, callId: string): boolean {
  return actionOf(state, callId)?.action.type === 'external';
}

/**
 * The digest of the tool that an open call was approved for. A call that has started has used its
 * approval.
 */
export function approvedDigestOf(
  state: SessionState,
  callId: string,
  hasStarted = false,
): { readonly approvedDigest?: string } {
  const { toolDigest } = actionOf(state, callId) ?? {};
  return toolDigest === undefined || hasStarted ? {} : { approvedDigest: toolDigest };
}

/** What was shown of a call's arguments when the model made it, if it differs. */
export function shownBefore(
  { run }: SessionState,
  callId: string,
): { readonly shownInput?: JsonObject } {
  const { shownInput } = run?.calls[placeOfCall(run.calls, callId)] ?? {};
  return shownInput === undefined ? {} : { shownInput };
}

/**
 * Whether an open call may have run in another process: its start is stored, or need not be. A call that
 * waits for its approval has not run. The journal decides: the tool may be another one in this release.
 */
export function mayHaveRun(state: SessionState, open: OpenCall): boolean {
  const { call, started, asksFirst } = open;
  if (asksFirst && approvalOf(state, call.id) === 'none') return started;
  return started || open.isRepeatable === true;
}

/** Whether an open call was approved. */
export function approvalOf(state: SessionState, callId: string): 'approved' | 'none' {
  const asked = actionOf(state, callId);
  return asked !== undefined && wasApproved(asked) ? 'approved' : 'none';
}

/**
 * A call for the entry of its answer.
 *
 * @param input the arguments as they will be sent; the model's by default
 * @param awaits the actor that the call waits for
 */
export function announced(
  use: ToolUseBlock,
  tool: Tool | undefined,
  input: JsonObject = use.input,
  awaits?: PendingAction['type'],
): AnnouncedCall {
  const shown = shownInput(tool, input);
  const isSame = shown === use.input || JSON.stringify(shown) === JSON.stringify(use.input);
  return {
    callId: use.id,
    kind: tool?.kind ?? 'function',
    ...(!isSame && { input: shown }),
    ...(awaits && { awaits }),
    ...(tool && isRepeatable(tool) && { isRepeatable: true }),
  };
}
