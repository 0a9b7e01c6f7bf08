import { defined } from '../../internal';
import type { CallOutcome, JsonObject, Message } from '../../message';
import { actionOf } from './call-state';
import type { SessionEntry, StoredEntry } from './entries';
import { applyInPlace } from './session-fold';
import { type ActionState, sessionFrom, type SessionState, wasApproved } from './session-state';

/** A message of a session, for its owner. */
export interface TranscriptMessage extends Message {
  /**
   * Unique within the session: the client's own id if no earlier message has it and it does not look
   * like a generated one.
   */
  readonly id: string;
  /** The run that it belongs to; missing for a summary. */
  readonly runId?: string;
  /** The time of the message; ISO 8601; missing for a summary. */
  readonly at?: string;
  /** For a message with results: the outcome of each call, by its id. */
  readonly outcomes?: Readonly<Record<string, CallOutcome>>;
  /** For a message with results: the user's answer to each call that asked for approval, by its id. */
  readonly approvals?: Readonly<Record<string, CallApproval>>;
}

/** The user's answer to a call that asked for approval. */
export interface CallApproval {
  /** Whether the call was allowed to run. */
  readonly approved: boolean;
  /** Why the user declined, if they said so. */
  readonly reason?: string;
}

/** The outcome of a call whose result is in the message; `undefined` if unknown. */
export function outcomeOf(
  { outcomes = {} }: TranscriptMessage,
  callId: string,
): CallOutcome | undefined {
  return Object.hasOwn(outcomes, callId) ? outcomes[callId] : undefined;
}

/** The user's answer to a call whose result is in the message; `undefined` if there was none. */
export function approvalAnswerOf(
  { approvals = {} }: TranscriptMessage,
  callId: string,
): CallApproval | undefined {
  return Object.hasOwn(approvals, callId) ? approvals[callId] : undefined;
}

/** The facts about a message that the model does not receive, by its position in the journal. */
interface Said {
  readonly runId: string;
  readonly id?: string;
  readonly at?: string;
  readonly outcomes: Record<string, CallOutcome>;
  readonly approvals: Record<string, CallApproval>;
}

/**
 * Every message without rewound ones, including summarized ones. The last summary replaces messages
 * that are no longer stored.
 *
 * @param entries as `SessionStore.read` returns them, in order
 */
export function transcriptOf(entries: readonly StoredEntry[]): readonly TranscriptMessage[] {
  const start = entries[0]?.position ?? 1;
  const said = new Map<number, Said>();
  let state = sessionFrom(start);
  let summary: Message | undefined;
  for (const { entry } of entries) {
    // These change only the messages that the model receives.
    if (entry.type === 'compacted' || entry.type === 'noticed') {
      if (entry.type === 'compacted') ({ summary } = entry);
      state = { ...state, version: state.version + 1 };
      continue;
    }
    state = applyInPlace(state, entry);
    note(said, entry, state);
  }
  const taken = new Set<string>();
  const messages = state.messages.map((message, index) => {
    const position = state.positions[index] ?? 0;
    return labelled(message, position, said.get(position), taken);
  });
  return start > 1 && summary ? [{ ...summary, id: 'summary' }, ...messages] : messages;
}

function note(said: Map<number, Said>, entry: SessionEntry, state: SessionState): void {
  if (entry.type === 'message' || entry.type === 'step.finished') {
    const { runId } = entry;
    const { id, at } = entry as Partial<Said>;
    // Without a prototype: the model chooses the ids of its calls.
    const outcomes = Object.create(null) as Said['outcomes'];
    const approvals = Object.create(null) as Said['approvals'];
    said.set(state.version, { runId, ...(id && { id }), ...(at && { at }), outcomes, approvals });
  }
  if (entry.type !== 'call.settled') return;
  const asking = state.messages.findLastIndex(({ role }) => role === 'assistant');
  const asked = said.get(state.positions[asking] ?? 0);
  if (!asked) return;
  const { tool_use_id: callId } = entry.result;
  // The first result counts.
  asked.outcomes[callId] ??= entry.outcome;
  const action = actionOf(state, callId);
  const approval = action && answerTo(action);
  if (approval) asked.approvals[callId] ??= approval;
}

function answerTo(action: ActionState): CallApproval | undefined {
  if (wasApproved(action)) return { approved: true };
  const { answer } = action;
  return answer?.type === 'reject'
    ? { approved: false, ...defined({ reason: answer.reason }) }
    : undefined;
}

/** What was shown of calls' arguments, by the calls' ids, where it differs from the arguments. */
export function shownInputsIn(entries: readonly StoredEntry[]): ReadonlyMap<string, JsonObject> {
  const shown = new Map<string, JsonObject>();
  for (const { entry } of entries) {
    if (entry.type === 'step.finished') {
      for (const { callId, input } of entry.calls ?? []) if (input) shown.set(callId, input);
    } else if (entry.type === 'action.answered' && entry.answer.type === 'approve') {
      const { input, shownInput = input } = entry.answer;
      if (shownInput) shown.set(entry.callId, shownInput);
    }
  }
  return shown;
}

/** The generated ids of messages. */
const OWN_ID = /^(?:\d+\.(?:message|results)|summary)$/;

/** Whether the id of a message was generated, because its client gave it none that could be kept. */
export function isGeneratedId(id: string): boolean {
  return OWN_ID.test(id);
}

/** Results have the position of the calls that they answer. */
function labelled(
  message: Message,
  position: number,
  said: Said | undefined,
  taken: Set<string>,
): TranscriptMessage {
  const isResult = message.content.some(({ type }) => type === 'tool_result');
  const { runId, at, outcomes, approvals = {}, id: given } = said ?? {};
  const isUsable = given !== undefined && !isGeneratedId(given) && !taken.has(given);
  if (isUsable) taken.add(given);
  return {
    ...message,
    id: isUsable ? given : `${position}.${isResult ? 'results' : 'message'}`,
    ...(runId !== undefined && { runId }),
    ...(at !== undefined && { at }),
    ...(isResult && outcomes && { outcomes }),
    ...(isResult && Object.keys(approvals).length > 0 && { approvals }),
  };
}
