import type { ContentBlock, ToolResultBlock, ToolUseBlock } from '../../message';
import { type EditHistory, putResult } from './history-edit';
import type { EntryOf } from './entries';
import { CallIndex } from './call-index';
import { type ActionState, type OpenCall, type SessionState, wasApproved } from './session-state';

const ACTIONS = new CallIndex<ActionState>(({ action: { callId }, via }) =>
  via === undefined ? [callId] : [callId, via],
);

const BLOCKS = new CallIndex<ContentBlock>((block) =>
  block.type === 'tool_use' ? [block.id] : [],
);
const OPEN_CALLS = new CallIndex<OpenCall>(({ call }) => [call.id]);

function placeOfAction({ actions }: SessionState, callId: string): number {
  const isOwn = (place: number) => actions[place]?.action.callId === callId;
  return ACTIONS.placesOf(actions, callId).find(isOwn) ?? -1;
}

/** The pending or answered action of a call, if any. */
export function actionOf(state: SessionState, callId: string): ActionState | undefined {
  return state.actions[placeOfAction(state, callId)];
}

/** Whether an open call's agent has waited for actions. */
export function hasAsked({ actions }: SessionState, callId: string): boolean {
  return ACTIONS.placesOf(actions, callId).some((place) => actions[place]?.via === callId);
}

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
    actions: withSettled(state.actions, result.tool_use_id),
  };
}

function withSettled(actions: readonly ActionState[], callId: string): readonly ActionState[] {
  let next = actions;
  for (const place of ACTIONS.placesOf(actions, callId)) {
    const action = actions[place];
    if (action === undefined || (action.via ?? action.action.callId) !== callId) continue;
    next = ACTIONS.replaced(next, place, { ...action, settled: true });
  }
  return next;
}

export function withRequiredAction(
  state: SessionState,
  { runId, action, via, toolDigest }: EntryOf<'action.required'>,
): SessionState {
  const place = placeOfAction(state, action.callId);
  const before = state.actions[place];
  // After its approval, a call may still wait for the caller to execute it.
  const isApproved = before !== undefined && wasApproved(before);
  const asked = {
    runId,
    action,
    settled: false,
    ...(isApproved && { isApproved }),
    ...(via !== undefined && { via }),
    ...(toolDigest !== undefined && { toolDigest }),
  };
  const actions = before
    ? ACTIONS.replaced(state.actions, place, asked)
    : ACTIONS.added(state.actions, asked);
  return { ...state, actions };
}

export function withAnswer(
  state: SessionState,
  { callId, answer }: EntryOf<'action.answered'>,
  edit: EditHistory,
): SessionState {
  const place = placeOfAction(state, callId);
  const action = state.actions[place];
  if (!action) return state;
  const answered = {
    ...state,
    actions: ACTIONS.replaced(state.actions, place, { ...action, answer }),
  };
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
  const { openCalls } = state;
  const [place = -1] = OPEN_CALLS.placesOf(openCalls, callId);
  const open = openCalls[place];
  if (!open) return state;
  const call = { ...open.call, input };
  const history = edit(state, ({ messages }) => {
    const asking = messages.findLastIndex(({ role }) => role === 'assistant');
    const message = messages[asking];
    if (!message) return;
    const [block = -1] = BLOCKS.placesOf(message.content, callId);
    if (block < 0) return;
    messages[asking] = { ...message, content: BLOCKS.replaced(message.content, block, call) };
  });
  const edited = OPEN_CALLS.replaced(openCalls, place, { ...open, call });
  return { ...state, ...history, openCalls: edited };
}
