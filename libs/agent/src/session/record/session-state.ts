import {
  type Message,
  type PendingAction,
  textOf,
  type ToolResultBlock,
  type ToolUseBlock,
  toolUsesOf,
} from '../../message';
import { applyToRun, type RunState } from './run-state';
import { NewerSessionError } from '../session-errors';
import {
  type ActionAnswer,
  ENTRY_VERSION,
  type EntryNumbers,
  ofNewerRelease,
  type RecordedEntry,
  type SessionEntry,
  type StoredEntry,
} from './session-entry';

/** A call of the last assistant message that has no result yet. */
export interface OpenCall {
  /** The run that made it. */
  readonly runId: string;
  /** With the input it will run with: an approval's edited one, where there is one. */
  readonly call: ToolUseBlock;
  /** It was about to run: after a crash its outcome is unknown. */
  readonly started: boolean;
  /** Until when the run waits for its result from outside, ISO 8601; missing where it does not. */
  readonly expiresAt?: string;
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
 * What a session is at one point of its journal. `messages` is a history that a model accepts as
 * soon as `openCalls` is empty.
 */
export interface SessionState {
  /** The position of the last entry that it follows from; 0 of an empty journal. */
  readonly version: number;
  /** What the model is shown of the conversation, a summary in the place of what it replaced. */
  readonly messages: readonly Message[];
  /** Where in the journal each was said, results with their calls; 0 of a summary. */
  readonly positions: readonly number[];
  /** From where on in the journal the summary stands for nothing; missing where there is none. */
  readonly wholeFrom?: number;
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
  version: 0,
  messages: [],
  positions: [],
  openCalls: [],
  actions: [],
  rememberedTools: [],
};

/** Stands in for a picture or file of an earlier question. */
const DROPPED_ATTACHMENT =
  '[Something was attached here. It is left out since the conversation was summarised.]';

/** Stands in where a journal goes on without a result that it owes. */
const LOST_RESULT = 'The outcome of this call is unknown.';

/** A session whose journal is read from a position on. */
export function sessionFrom(position: number): SessionState {
  return { ...EMPTY_SESSION, version: position - 1, messages: [], positions: [] };
}

/**
 * What a session is after these entries; they start at the journal's beginning or at `readFrom`.
 *
 * @param entries as `SessionStore.read` answers them, in order
 * @param before what it was before them; an empty session by default
 * @throws NewerSessionError where a newer release wrote what this one cannot read
 * @example
 * async function messagesOf(store: SessionStore, sessionId: string) {
 *   const record = await store.find(sessionId);
 *   return sessionStateOf(await store.read(sessionId, record?.readFrom)).messages;
 * }
 */
export function sessionStateOf(
  entries: readonly StoredEntry[],
  before = sessionFrom(entries[0]?.position ?? 1),
): SessionState {
  // A list of one's own may be changed in place, or the time would grow with the square of its length.
  let state: SessionState = {
    ...before,
    messages: [...before.messages],
    positions: [...before.positions],
  };
  for (const { entry } of entries) state = apply(state, entry, inPlace);
  return state;
}

/** The state after one more entry. What did not change keeps its identity. */
export function applyEntry(
  state: SessionState,
  entry: SessionEntry & Partial<EntryNumbers>,
): SessionState {
  return apply(state, entry, onCopy);
}

/** As `applyEntry`, for a fold that owns the state's lists: they are changed in place. */
export function applyInPlace(state: SessionState, entry: RecordedEntry): SessionState {
  return apply(state, entry, inPlace);
}

/** What the model said last. */
export function lastAnswer({ messages }: SessionState): string {
  const asked = messages.findLast(({ role }) => role === 'assistant');
  return asked ? textOf(asked) : '';
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
    outcome: 'interrupted',
  }));
}

/** What a fold changes of the messages: the only part of a state that grows with the session. */
interface History {
  readonly messages: Message[];
  readonly positions: number[];
}

type Edit = (
  state: SessionState,
  change: (history: History) => void,
) => Pick<SessionState, 'messages' | 'positions'>;

function onCopy({ messages, positions }: SessionState, change: (own: History) => void): History {
  const own = { messages: [...messages], positions: [...positions] };
  change(own);
  return own;
}

/** For a fold that owns its lists. */
function inPlace({ messages, positions }: SessionState, change: (own: History) => void): History {
  const own = { messages: messages as Message[], positions: positions as number[] };
  change(own);
  return own;
}

function apply(
  state: SessionState,
  entry: SessionEntry & Partial<EntryNumbers>,
  edit: Edit,
): SessionState {
  if (entry.v !== undefined && entry.v > ENTRY_VERSION) throw new NewerSessionError();
  const next = applyToSession({ ...state, version: state.version + 1 }, entry, edit);
  const run = applyToRun(next.run, entry, next.version);
  return run === next.run || run === undefined ? next : { ...next, run };
}

function applyToSession(state: SessionState, entry: SessionEntry, edit: Edit): SessionState {
  switch (entry.type) {
    case 'message':
      return withMessage(state, entry, edit);
    case 'step.finished':
      return withMeasure(withMessage(state, entry, edit), entry);
    case 'run.started':
      return { ...state, actions: [] };
    case 'call.started':
      return withOpenCall(state, entry.callId, {
        started: true,
        ...(entry.expiresAt !== undefined && { expiresAt: entry.expiresAt }),
      });
    case 'call.settled':
      return withResult(state, entry.result, edit);
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
      return compacted(state, entry);
    case 'rewound':
      return rewound(state, entry);
    case 'noticed':
    case 'call.progressed':
    case 'run.parked':
    case 'run.resumed':
    case 'run.finished':
      return state;
    default:
      return ofNewerRelease(entry, state);
  }
}

function compacted(
  { measured: _, activeGroups: __, ...state }: SessionState,
  entry: Extract<SessionEntry, { type: 'compacted' }>,
): SessionState {
  const { summary, keepFrom, keepAlso, activeGroups, rememberedTools } = entry;
  const isKept = (position: number): boolean => position >= keepFrom || position === keepAlso;
  const positions = state.positions.filter(isKept);
  const messages = state.messages.filter((_message, index) => isKept(state.positions[index] ?? 0));
  const begin = state.run?.position ?? 0;
  const isParted = state.positions.some(
    (at) => keepAlso !== undefined && keepAlso < at && at < keepFrom,
  );
  return {
    ...state,
    wholeFrom: isParted ? keepFrom : (keepAlso ?? keepFrom),
    // The question under way keeps its pictures.
    messages: [
      summary,
      ...messages.map((message, index) =>
        (positions[index] ?? 0) < begin ? withoutAttachments(message) : message,
      ),
    ],
    positions: [0, ...positions],
    rememberedTools,
    ...(activeGroups && { activeGroups }),
  };
}

/** What was attached is sent with every request, and a summary was due because that was too much. */
function withoutAttachments(message: Message): Message {
  if (!message.content.some(isAttachment)) return message;
  const content = message.content.map((block) =>
    isAttachment(block) ? ({ type: 'text', text: DROPPED_ATTACHMENT } as const) : block,
  );
  return { ...message, content };
}

function isAttachment({ type }: Message['content'][number]): boolean {
  return type === 'image' || type === 'file';
}

/** What was said from the run's beginning on is no part of the conversation any more. */
function rewound(
  { measured: _, ...state }: SessionState,
  { position }: Extract<SessionEntry, { type: 'rewound' }>,
): SessionState {
  const isKept = (_message: unknown, index: number): boolean =>
    (state.positions[index] ?? 0) < position;
  return {
    ...state,
    messages: state.messages.filter(isKept),
    positions: state.positions.filter((at) => at < position),
    openCalls: [],
    actions: [],
  };
}

function withMessage(
  state: SessionState,
  { runId, message }: Extract<SessionEntry, { type: 'message' | 'step.finished' }>,
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
    ...edit(settled, ({ messages, positions }) => {
      messages.push(message);
      positions.push(state.version);
    }),
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
    ...edit(state, (history) => putResult(history, result)),
    openCalls: state.openCalls.toSpliced(index, 1),
    actions: state.actions.map((action) =>
      action.action.callId === result.tool_use_id ? { ...action, settled: true } : action,
    ),
  };
}

/** Puts a result into the message right after its call's, in the order of the calls. */
function putResult({ messages, positions }: History, result: ToolResultBlock): void {
  const asking = messages.findLastIndex(({ role }) => role === 'assistant');
  const uses = toolUsesOf(messages[asking] ?? { content: [] });
  const order = new Map(uses.map(({ id }, index) => [id, index]));
  const placeOf = (block: ToolResultBlock) => order.get(block.tool_use_id) ?? -1;
  const results = (messages[asking + 1]?.content ?? []).filter(isResult);
  const before = results.findLastIndex((other) => placeOf(other) <= placeOf(result));
  messages[asking + 1] = { role: 'user', content: results.toSpliced(before + 1, 0, result) };
  positions[asking + 1] = positions[asking] ?? 0;
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

/** What the provider counted is the history as it was sent, with the answer. */
function withMeasure(
  state: SessionState,
  { message, usage }: Extract<SessionEntry, { type: 'step.finished' }>,
): SessionState {
  const tokens = usage.totalTokens;
  if (tokens === 0 || message.content.length === 0) return state;
  return { ...state, measured: { messages: state.messages.length, tokens } };
}

function isResult(block: Message['content'][number]): block is ToolResultBlock {
  return block.type === 'tool_result';
}

function errorResult(callId: string, text: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: callId, content: text, is_error: true };
}
