import {
  NO_USAGE,
  textOf,
  toolUsesOf,
  type AgentEvent,
  type AgentEventBody,
  type Message,
  type PendingAction,
  type ToolUseBlock,
} from '../../message';
import {
  type AnnouncedCall,
  countPieces,
  countAsked,
  type EntryNumbers,
  type EntryOf,
  ofNewerRelease,
  piecesOf,
  type SessionEntry,
  askedEvents,
} from './entries';
import { placeOfCall } from './run-calls';
import type { RunCall } from './run-state';
import { EMPTY_SESSION, lastAnswer, pendingActionsOf, type SessionState } from './session-state';

/**
 * The maximum of numbers sent before they are stored. After a crash, numbering continues above them,
 * so that no number is used for two events.
 */
export const UNSTORED_NUMBERS = 1_000;

/**
 * The events of an entry for a run's readers: a function of the entry and of the state, with the same
 * result live and at every later read.
 *
 * @param state the session's state after the entry
 * @param after omits the events up to this number
 */
export function eventsOfEntry(
  entry: SessionEntry & Partial<EntryNumbers>,
  state: SessionState,
  sessionId: string,
  after = 0,
): readonly AgentEvent[] {
  const { seq } = entry;
  if (seq === undefined || !('runId' in entry)) return [];
  const { runId } = entry;
  const pieces = 'pieces' in entry ? countPieces(entry.pieces ?? []) : 0;
  // There may be thousands, so past pieces are not cut again.
  const isPast = pieces > 0 && seq + pieces - 1 <= after;
  const first = isPast ? seq + pieces : seq;
  const bodies = bodiesOf(entry, state, sessionId, !isPast) ?? [];
  return bodies
    .map((body, index) => ({ ...body, runId, seq: first + index }))
    .filter((event) => event.seq > after);
}

/** The number of an entry's events. Depends on the entry alone: the state only fills in their content. */
export function numbersOf(entry: SessionEntry): number {
  // There may be thousands of pieces, so they are not cut.
  if (entry.type === 'agent.told') return countAsked(entry.told);
  const pieces = 'pieces' in entry ? countPieces(entry.pieces ?? []) : 0;
  const bodies = bodiesOf(entry, EMPTY_SESSION, '', false);
  // A newer release has an event for it.
  return bodies === undefined ? 1 : pieces + bodies.length;
}

/** @returns `undefined` for a kind of entry that only a newer release knows */
function bodiesOf(
  entry: SessionEntry,
  state: SessionState,
  sessionId: string,
  withPieces: boolean,
): readonly AgentEventBody[] | undefined {
  switch (entry.type) {
    case 'run.started':
      return [{ type: 'run.started', sessionId, model: entry.modelName }];
    case 'message': {
      const { message, pieces } = entry;
      if (message.role !== 'assistant') return [];
      if (pieces === undefined) return [{ type: 'text.delta', delta: textOf(message) }];
      return withPieces ? piecesOf(pieces, message) : [];
    }
    case 'step.finished': {
      const { step, usage, finishReason, message, pieces = [] } = entry;
      return [
        ...(withPieces ? piecesOf(pieces, message) : []),
        ...besideText(message),
        { type: 'step.finished', step, usage, finishReason },
        ...announced(message, entry.calls),
      ];
    }
    case 'call.started': {
      const { callId, expiresAt } = entry;
      if (expiresAt === undefined) return [];
      const { name, input } = callOf(state, callId);
      return [{ type: 'frontend.call', callId, name, input, expiresAt }];
    }
    case 'call.progressed':
      return [{ type: 'tool.progress', callId: entry.callId, data: entry.data }];
    case 'call.settled': {
      const { tool_use_id: callId, content: output, is_error: isError } = entry.result;
      const { name } = callOf(state, callId);
      const { durationMs, outcome } = entry;
      return [{ type: 'tool.result', callId, name, output, isError, durationMs, outcome }];
    }
    case 'noticed':
      return [{ type: 'notice', code: entry.code, message: entry.message }];
    case 'action.required':
      return entry.via === undefined ? required(shownAction(state, entry.action)) : [];
    case 'agent.told':
      return askedEvents(entry.told);
    case 'action.answered': {
      // The input was edited: another input was announced before the wait.
      const { answer, callId } = entry;
      if (answer.type !== 'approve' || !answer.input) return [];
      const { name, kind } = callOf(state, callId);
      return [{ type: 'tool.call', callId, name, kind, input: answer.shownInput ?? answer.input }];
    }
    case 'run.parked':
      return [
        {
          type: 'run.finished',
          status: 'requires_action',
          stopReason: 'requires_action',
          message: lastAnswer(state),
          usage: state.run?.usage ?? NO_USAGE,
          pendingActions: pendingActionsOf(state).map((action) => shownAction(state, action)),
        },
      ];
    case 'run.finished': {
      const { status, stopReason, message, usage, failure } = entry;
      return [
        ...(failure
          ? [{ type: 'error', code: failure.code, message: failure.message } as const]
          : []),
        { type: 'run.finished', status, stopReason, message, usage, pendingActions: [] },
      ];
    }
    case 'compacted': {
      const { tokensBefore, tokensAfter, messages } = entry;
      return [{ type: 'compaction', tokensBefore, tokensAfter, messages }];
    }
    case 'step.discarded':
      return [{ type: 'step.discarded', from: entry.from, to: entry.to }];
    case 'agent.spent':
    case 'run.queued':
    case 'run.taken':
    case 'run.resumed':
    case 'rewound':
    case 'groups.changed':
    case 'permission.remembered':
    case 'permission.revoked':
      return [];
    default:
      return ofNewerRelease(entry, undefined);
  }
}

/** The parts of an answer besides its text: sources and tools of the provider. */
function besideText({ content }: Pick<Message, 'content'>): readonly AgentEventBody[] {
  return content.flatMap((block): readonly AgentEventBody[] => {
    if (block.type === 'source') {
      const { url, title } = block;
      return [{ type: 'source', url, ...(title !== undefined && { title }) }];
    }
    if (block.type !== 'provider_tool') return [];
    const { id: callId, name, input, output } = block;
    const said = { ...(input && { input }), ...(output !== undefined && { output }) };
    return [
      { type: 'provider.tool', callId, name, ...said },
      ...(block.notice ? [{ type: 'notice' as const, ...block.notice }] : []),
    ];
  });
}

function required({ type, ...action }: PendingAction): readonly AgentEventBody[] {
  switch (type) {
    case 'approval':
      return [{ type: 'approval.required', ...action, reason: approvalReason(action.name) }];
    case 'frontend':
      return [{ type: 'frontend.call', ...action }];
    case 'external':
      // Clients cannot answer it; the run's end event reports the wait.
      return [];
  }
}

function awaiting(call: AnnouncedCall | undefined): Pick<AnnouncedCall, 'awaits'> {
  return call?.awaits ? { awaits: call.awaits } : {};
}

function announced(
  message: Message,
  calls: EntryOf<'step.finished'>['calls'] = [],
): readonly AgentEventBody[] {
  const byId = new Map(calls.map((call) => [call.callId, call]));
  return toolUsesOf(message).map(({ id, name, input }: ToolUseBlock) => ({
    type: 'tool.call',
    callId: id,
    name,
    kind: byId.get(id)?.kind ?? 'function',
    input: byId.get(id)?.input ?? input,
    ...awaiting(byId.get(id)),
  }));
}

/** The displayed form of a call. */
function callOf({ run }: SessionState, callId: string): Pick<RunCall, 'name' | 'kind' | 'input'> {
  const call = run?.calls[placeOfCall(run.calls, callId)];
  if (call === undefined) return { name: '', kind: 'function', input: {} };
  const { name, kind, input, shownInput = input } = call;
  return { name, kind, input: shownInput };
}

/** The action with the call's final input; an asked agent's action already has it. */
function shownAction(state: SessionState, action: PendingAction): PendingAction {
  if (action.agent !== undefined) return action;
  return { ...action, input: callOf(state, action.callId).input };
}

/** The displayed reason of a wait. */
export function approvalReason(name: string): string {
  return `"${name}" changes something and runs only with your approval.`;
}
