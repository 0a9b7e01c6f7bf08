import { toolUsesOf } from '../../message';
import { NewerSessionError } from '../session-errors';
import { withAnswer, withOpenCall, withRequiredAction, withResult } from './call-state';
import { type EditHistory, errorResult, inPlace, onCopy } from './history-edit';
import { applyToRun } from './run-state';
import {
  type EntryNumbers,
  type EntryOf,
  ofNewerRelease,
  ENTRY_VERSION,
  type RecordedEntry,
  type SessionEntry,
  type StoredEntry,
} from './entries';
import { sessionFrom, type SessionState } from './session-state';
import { compacted, rewound, withoutRefused } from './shortened-history';

/** Replaces a missing result that the journal continues without. */
const LOST_RESULT = 'The outcome of this call is unknown.';

/**
 * The state of a session after these entries, which start at the journal's beginning or `readFrom`.
 *
 * @param entries as `SessionStore.read` returns them, in order
 * @param before the state before them; an empty session by default
 * @throws NewerSessionError if a newer release wrote an entry that this one cannot read
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
  // A copy that is changed in place: otherwise the time would grow with the square of the length.
  let state: SessionState = {
    ...before,
    messages: [...before.messages],
    positions: [...before.positions],
  };
  for (const { entry } of entries) state = apply(state, entry, inPlace);
  return state;
}

/** The state after one more entry. Unchanged parts keep their identity. */
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

function apply(
  state: SessionState,
  entry: SessionEntry & Partial<EntryNumbers>,
  edit: EditHistory,
): SessionState {
  if (entry.v !== undefined && entry.v > ENTRY_VERSION) throw new NewerSessionError();
  const next = applyToSession({ ...state, version: state.version + 1 }, entry, edit);
  const run = applyToRun(next.run, entry, next.version);
  return run === next.run || run === undefined ? next : { ...next, run };
}

function applyToSession(state: SessionState, entry: SessionEntry, edit: EditHistory): SessionState {
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
    case 'action.required':
      return withRequiredAction(state, entry);
    case 'action.answered':
      return withAnswer(state, entry, edit);
    case 'groups.changed':
      return { ...state, activeGroups: entry.active };
    case 'permission.remembered': {
      const { tool: name, digest } = entry;
      const remembered = { name, ...(digest !== undefined && { digest }) };
      return { ...state, rememberedTools: [...withoutTool(state, name), remembered] };
    }
    case 'permission.revoked':
      return { ...state, rememberedTools: withoutTool(state, entry.tool) };
    case 'compacted':
      return compacted(state, entry);
    case 'rewound':
      return rewound(state, entry);
    case 'noticed':
      return entry.withoutFrom === undefined ? state : withoutRefused(state, entry.withoutFrom);
    case 'call.progressed':
    case 'agent.told':
    case 'agent.spent':
    case 'run.parked':
    case 'run.resumed':
    case 'run.queued':
    case 'run.taken':
    case 'step.discarded':
    case 'run.finished':
      return state;
    default:
      return ofNewerRelease(entry, state);
  }
}

function withoutTool(
  { rememberedTools }: SessionState,
  revoked: string,
): SessionState['rememberedTools'] {
  return rememberedTools.filter(({ name }) => name !== revoked);
}

function withMessage(
  state: SessionState,
  entry: EntryOf<'message' | 'step.finished'>,
  edit: EditHistory,
): SessionState {
  const { runId, message } = entry;
  // An empty message has no effect, and providers refuse it.
  if (message.content.length === 0) return state;
  const settled = state.openCalls.reduce(
    (before, { call }) => withResult(before, errorResult(call.id, LOST_RESULT), edit),
    state,
  );
  const calls = message.role === 'assistant' ? toolUsesOf(message) : [];
  const announced = new Map(
    (entry.type === 'step.finished' ? (entry.calls ?? []) : []).map((call) => [call.callId, call]),
  );
  return {
    ...settled,
    ...edit(settled, ({ messages, positions }) => {
      messages.push(message);
      positions.push(state.version);
    }),
    openCalls: calls.map((call) => {
      const { awaits, isRepeatable } = announced.get(call.id) ?? {};
      return {
        runId,
        call,
        started: false,
        ...(awaits === 'approval' && { asksFirst: true as const }),
        ...(isRepeatable && { isRepeatable }),
      };
    }),
  };
}

/** The provider's count includes the sent history and the answer. */
function withMeasure(
  state: SessionState,
  { message, usage }: EntryOf<'step.finished'>,
): SessionState {
  const tokens = usage.totalTokens;
  if (tokens === 0 || message.content.length === 0) return state;
  return { ...state, measured: { messages: state.messages.length, tokens } };
}
