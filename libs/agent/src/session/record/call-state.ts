import type { ToolResultBlock, ToolUseBlock } from '../../message';
import { type EditHistory, putResult } from './history-edit';
import type { EntryOf } from './entries';
import { type ActionState, type OpenCall, type SessionState, wasApproved } from './session-state';

export function withOpenCall(
  state: SessionState,
  callId: string,
  change: Partial<OpenCall>,
): SessionState {
  const index = state.openCalls.findIndex(({ call }) => call.id === callId);
  const open = state.openCalls[index];
  return open
    ? { ...state, openCalls: state.openCalls.with(index, { ...open, ...change }) }
    : state;
}

export function withResult(
  state: SessionState,
  result: ToolResultBlock,
  edit: EditHistory,
): SessionState {
  const index = state.openCalls.findIndex(({ call }) => call.id === result.tool_use_id);
  // A second result, or the result of an unknown call: ignored.
  if (index < 0) return state;
  return {
    ...state,
    ...edit(state, (history) => putResult(history, result)),
    openCalls: state.openCalls.toSpliced(index, 1),
    actions: state.actions.map((action) =>
      (action.via ?? action.action.callId) === result.tool_use_id
        ? { ...action, settled: true }
        : action,
    ),
  };
}

export function withRequiredAction(
  state: SessionState,
  { runId, action, via, toolDigest }: EntryOf<'action.required'>,
): SessionState {
  const isSame = (other: ActionState) => other.action.callId === action.callId;
  // After its approval, a call may still wait for the caller to execute it.
  const isApproved = state.actions.some((other) => isSame(other) && wasApproved(other));
  const asked = {
    runId,
    action,
    settled: false,
    ...(isApproved && { isApproved }),
    ...(via !== undefined && { via }),
    ...(toolDigest !== undefined && { toolDigest }),
  };
  return { ...state, actions: [...state.actions.filter((other) => !isSame(other)), asked] };
}

export function withAnswer(
  state: SessionState,
  { callId, answer }: EntryOf<'action.answered'>,
  edit: EditHistory,
): SessionState {
  const index = state.actions.findLastIndex(({ action }) => action.callId === callId);
  const action = state.actions[index];
  if (!action) return state;
  const answered = { ...state, actions: state.actions.with(index, { ...action, answer }) };
  return answer.type === 'approve' && answer.input
    ? withInput(answered, callId, answer.input, edit)
    : answered;
}

/** Replaces the call's input with the edited one, also in the model's history. */
function withInput(
  state: SessionState,
  callId: string,
  input: ToolUseBlock['input'],
  edit: EditHistory,
): SessionState {
  const open = state.openCalls.find(({ call }) => call.id === callId);
  if (!open) return state;
  const history = edit(state, ({ messages }) => {
    const asking = messages.findLastIndex(({ role }) => role === 'assistant');
    const message = messages[asking];
    if (!message) return;
    const content = message.content.map((block) =>
      block.type === 'tool_use' && block.id === callId ? { ...block, input } : block,
    );
    messages[asking] = { ...message, content };
  });
  return withOpenCall({ ...state, ...history }, callId, { call: { ...open.call, input } });
}
