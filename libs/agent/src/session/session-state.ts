import type { Message, PendingAction, ToolResultBlock, ToolUseBlock } from '../message';
import { toolUsesOf } from '../message';
import { applyToRun } from './run-state';
import type { RunState } from './run-state';
import type { ActionAnswer, SessionEntry } from './session-entry';

/** A call of the last assistant message that has no result yet. */
export interface OpenCall {
  /** The run that made it. */
  readonly runId: string;
  /** With the input it will run with: an approval's edited one, where there is one. */
  readonly call: ToolUseBlock;
  /** It was about to run: after a crash its outcome is unknown. */
  readonly started: boolean;
}

/** Something the last run waited for, and how it was answered. */
export interface ActionState {
  /** The run that waited. */
  readonly runId: string;
  /** What it waited for. */
  readonly action: PendingAction;
  /** The answer to an approval; missing where there is none yet. */
  readonly answer?: ActionAnswer;
  /** The call was approved before, and waits for its caller to carry it out. */
  readonly isApproved?: boolean;
  /** The call has its result: a frontend call's answer, or what came of an approval. */
  readonly settled: boolean;
}

/** How many tokens the history's beginning has, as the provider counted. */
export interface MeasuredPrefix {
  /** How many messages the beginning has. */
  readonly messages: number;
  /** The tokens of these messages, system prompt and tools included. */
  readonly tokens: number;
}

/**
 * What a session is at one point of its journal. It is plain JSON, so that a checkpoint can carry
 * it. `messages` is a history that a model accepts as soon as `openCalls` is empty.
 */
export interface SessionState {
  /** What the model is shown of the conversation, a summary in the place of what it replaced. */
  readonly messages: readonly Message[];
  /** The calls that have no result yet. */
  readonly openCalls: readonly OpenCall[];
  /** The last run; missing where there was none. */
  readonly run?: RunState;
  /** What the last run waited or waits for, answered ones included. */
  readonly actions: readonly ActionState[];
  /** The names of the active tool groups; missing as long as nobody changed them. */
  readonly activeGroups?: readonly string[];
  /** The names of the tools allowed for the rest of the session. */
  readonly rememberedTools: readonly string[];
  /** How long the history is, as far as the provider has counted. */
  readonly measured?: MeasuredPrefix;
}

export const EMPTY_SESSION: SessionState = {
  messages: [],
  openCalls: [],
  actions: [],
  rememberedTools: [],
};

/** Stands in where a journal goes on without a result that it owes. */
const LOST_RESULT = 'The outcome of this call is unknown.';

/**
 * What a session is after these entries; they start at the journal's beginning or at a checkpoint.
 *
 * @param entries as `SessionStore.read` answers them, in order
 * @example
 * async function messagesOf(store: SessionStore, sessionId: string) {
 *   const record = await store.find(sessionId);
 *   const stored = await store.read(sessionId, record?.readFrom);
 *   return sessionStateOf(stored.map(({ entry }) => entry)).messages;
 * }
 */
export function sessionStateOf(entries: Iterable<SessionEntry>): SessionState {
  let state: SessionState = { ...EMPTY_SESSION, messages: [] };
  for (const entry of entries) state = apply(state, entry, inPlace);
  return state;
}

/** The state after one more entry. What did not change keeps its identity. */
export function applyEntry(state: SessionState, entry: SessionEntry): SessionState {
  return apply(state, entry, onCopy);
}

/** Every message ever said, what a summary replaced included, as far as the entries go back. */
export function transcriptOf(entries: Iterable<SessionEntry>): readonly Message[] {
  let state: SessionState = { ...EMPTY_SESSION, messages: [] };
  for (const entry of entries) {
    const isRepetition = entry.type === 'compacted' && state.messages.length > 0;
    if (!isRepetition) state = apply(state, entry, inPlace);
  }
  return state.messages;
}

/** Whether the owner approved the call, now or before it was handed to the caller. */
export function wasApproved({ answer, isApproved = false }: ActionState): boolean {
  return isApproved || answer?.type === 'approve';
}

/** What the last run still waits for. */
export function pendingActionsOf(state: SessionState): readonly PendingAction[] {
  if (state.run?.status !== 'requires_action' && state.run?.status !== 'running') return [];
  return state.actions
    .filter(({ answer, settled }) => answer === undefined && !settled)
    .map(({ action }) => action);
}

/** The entries that give every open call an error result with this text. */
export function settleOpenCalls(
  state: SessionState,
  text: string | ((open: OpenCall) => string),
): readonly SessionEntry[] {
  return state.openCalls.map((open) => ({
    type: 'call.settled',
    runId: open.runId,
    result: errorResult(open.call.id, typeof text === 'string' ? text : text(open)),
    durationMs: 0,
  }));
}

/**
 * How messages change: the only part of a state that grows with the session. A fold of a whole
 * journal owns its list and changes it, or its time would grow with the square of the length.
 */
type Edit = (messages: readonly Message[], change: (own: Message[]) => void) => readonly Message[];

function onCopy(messages: readonly Message[], change: (own: Message[]) => void): Message[] {
  const own = [...messages];
  change(own);
  return own;
}

function inPlace(messages: readonly Message[], change: (own: Message[]) => void): Message[] {
  const own = messages as Message[];
  change(own);
  return own;
}

function apply(state: SessionState, entry: SessionEntry, edit: Edit): SessionState {
  const next = applyToSession(state, entry, edit);
  const run =
    entry.type === 'run.started'
      ? applyToRun(undefined, entry.runId, entry)
      : next.run && applyToRun(next.run, next.run.runId, entry);
  return run === next.run || run === undefined ? next : { ...next, run };
}

function applyToSession(state: SessionState, entry: SessionEntry, edit: Edit): SessionState {
  switch (entry.type) {
    case 'message':
      return withMessage(state, entry, edit);
    case 'run.started':
      return { ...state, actions: [] };
    case 'call.started':
      return withOpenCall(state, entry.callId, { started: true });
    case 'call.settled':
      return withResult(state, entry.result, edit);
    case 'step.finished':
      return withMeasure(state, entry.usage.totalTokens);
    case 'action.required': {
      const { runId, action } = entry;
      const isSame = (other: ActionState) => other.action.callId === action.callId;
      // One that was approved may have to be carried out by the caller next.
      const isApproved = state.actions.some((other) => isSame(other) && wasApproved(other));
      const asked = { runId, action, settled: false, ...(isApproved && { isApproved }) };
      return { ...state, actions: [...state.actions.filter((other) => !isSame(other)), asked] };
    }
    case 'action.answered':
      return withAnswer(state, entry, edit);
    case 'groups.changed':
      return { ...state, activeGroups: entry.active };
    case 'permission.remembered': {
      const others = state.rememberedTools.filter((tool) => tool !== entry.tool);
      return { ...state, rememberedTools: [...others, entry.tool] };
    }
    case 'permission.revoked': {
      const others = state.rememberedTools.filter((tool) => tool !== entry.tool);
      return { ...state, rememberedTools: others };
    }
    case 'compacted':
      return { ...entry.state, messages: [...entry.state.messages] };
    case 'run.parked':
    case 'run.resumed':
    case 'run.finished':
      return state;
  }
}

function withMessage(
  state: SessionState,
  { runId, message }: Extract<SessionEntry, { type: 'message' }>,
  edit: Edit,
): SessionState {
  // An empty message says nothing, and providers refuse it.
  if (message.content.length === 0) return state;
  const settled = settleOpenCalls(state, LOST_RESULT).reduce(
    (before, entry) => applyToSession(before, entry, edit),
    state,
  );
  const calls = message.role === 'assistant' ? toolUsesOf(message) : [];
  return {
    ...settled,
    messages: edit(settled.messages, (own) => own.push(message)),
    openCalls: calls.map((call) => ({ runId, call, started: false })),
  };
}

function withOpenCall(
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

function withResult(state: SessionState, result: ToolResultBlock, edit: Edit): SessionState {
  const index = state.openCalls.findIndex(({ call }) => call.id === result.tool_use_id);
  // A second result, or one for a call nobody made: the first one stands.
  if (index < 0) return state;
  return {
    ...state,
    messages: edit(state.messages, (own) => putResult(own, result)),
    openCalls: state.openCalls.toSpliced(index, 1),
    actions: state.actions.map((action) =>
      action.action.callId === result.tool_use_id ? { ...action, settled: true } : action,
    ),
  };
}

/** Puts a result into the message right after its call's, in the order of the calls. */
function putResult(messages: Message[], result: ToolResultBlock): void {
  const asking = messages.findLastIndex(({ role }) => role === 'assistant');
  const uses = toolUsesOf(messages[asking] ?? { content: [] });
  const order = new Map(uses.map(({ id }, index) => [id, index]));
  const placeOf = (block: ToolResultBlock) => order.get(block.tool_use_id) ?? -1;
  const results = (messages[asking + 1]?.content ?? []).filter(isResult);
  const before = results.findLastIndex((other) => placeOf(other) <= placeOf(result));
  messages[asking + 1] = { role: 'user', content: results.toSpliced(before + 1, 0, result) };
}

function withAnswer(
  state: SessionState,
  { callId, answer }: Extract<SessionEntry, { type: 'action.answered' }>,
  edit: Edit,
): SessionState {
  const index = state.actions.findLastIndex(({ action }) => action.callId === callId);
  const action = state.actions[index];
  if (!action) return state;
  const answered = { ...state, actions: state.actions.with(index, { ...action, answer }) };
  return answer.type === 'approve' && answer.input
    ? withInput(answered, callId, answer.input, edit)
    : answered;
}

/** An edited input becomes the call's, in what the model reads of it as well. */
function withInput(
  state: SessionState,
  callId: string,
  input: ToolUseBlock['input'],
  edit: Edit,
): SessionState {
  const open = state.openCalls.find(({ call }) => call.id === callId);
  if (!open) return state;
  const messages = edit(state.messages, (own) => {
    const asking = own.findLastIndex(({ role }) => role === 'assistant');
    const message = own[asking];
    if (!message) return;
    const content = message.content.map((block) =>
      block.type === 'tool_use' && block.id === callId ? { ...block, input } : block,
    );
    own[asking] = { ...message, content };
  });
  return withOpenCall({ ...state, messages }, callId, { call: { ...open.call, input } });
}

function withMeasure(state: SessionState, tokens: number): SessionState {
  const messages = state.messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  return tokens > 0 && messages > 0 ? { ...state, measured: { messages, tokens } } : state;
}

function isResult(block: Message['content'][number]): block is ToolResultBlock {
  return block.type === 'tool_result';
}

function errorResult(callId: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: callId, content: text, is_error: true };
}
