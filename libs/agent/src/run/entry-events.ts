import { NO_USAGE, textOf, toolUsesOf, type AgentEventBody, type ToolKind } from '../message';
import { pendingActionsOf, type SessionEntry, type SessionState } from '../session';
import { approvalReason, lastAnswer } from './run-ending';
import { CUT_OFF_FAILURE } from './run-failure';

/** What a run's entries do not hold by themselves. */
export interface RunNames {
  readonly sessionId: string;
  /** The model that answers where a run chose none. */
  readonly defaultModel: string;
  readonly kindOf: (toolName: string) => ToolKind;
}

/** What a run's readers were told when an entry was stored. `state` is the session's, after it. */
export function eventsOfEntry(
  entry: SessionEntry,
  state: SessionState,
  names: RunNames,
): readonly AgentEventBody[] {
  switch (entry.type) {
    case 'run.started': {
      const { model = names.defaultModel } = entry;
      return [{ type: 'run.started', sessionId: names.sessionId, model }];
    }
    case 'message': {
      const { role } = entry.message;
      const delta = textOf(entry.message);
      return role === 'assistant' && delta !== '' ? [{ type: 'text.delta', delta }] : [];
    }
    case 'step.finished': {
      const { step, usage, finishReason = 'end_turn' } = entry;
      return [{ type: 'step.finished', step, usage, finishReason }, ...callsOf(state, names)];
    }
    case 'call.settled': {
      const { result, durationMs } = entry;
      const { tool_use_id: callId, content: output, is_error: isError } = result;
      const name = state.run?.calls.findLast(({ id }) => id === callId)?.name ?? '';
      return [{ type: 'tool.result', callId, name, output, isError, durationMs }];
    }
    case 'action.required': {
      const { type, ...action } = entry.action;
      return type === 'approval'
        ? [{ type: 'approval.required', ...action, reason: approvalReason(action.name) }]
        : [{ type: 'frontend.call', ...action }];
    }
    case 'run.parked':
      return [
        {
          type: 'run.finished',
          status: 'requires_action',
          stopReason: 'requires_action',
          message: lastAnswer(state),
          usage: state.run?.usage ?? NO_USAGE,
          pendingActions: pendingActionsOf(state),
        },
      ];
    case 'run.finished': {
      const { status, stopReason, message, usage, failure = CUT_OFF_FAILURE } = entry;
      const { code, message: reason } = failure;
      return [
        ...(status === 'failed' ? [{ type: 'error', code, message: reason } as const] : []),
        { type: 'run.finished', status, stopReason, message, usage, pendingActions: [] },
      ];
    }
    case 'compacted': {
      const { tokensBefore, tokensAfter, messages } = entry;
      return [{ type: 'compaction', tokensBefore, tokensAfter, messages }];
    }
    case 'call.started':
    case 'action.answered':
    case 'run.resumed':
    case 'groups.changed':
    case 'permission.remembered':
    case 'permission.revoked':
      return [];
  }
}

function callsOf({ messages }: SessionState, { kindOf }: RunNames): readonly AgentEventBody[] {
  const asked = messages.at(-1);
  return (asked === undefined ? [] : toolUsesOf(asked)).map(({ id, name, input }) => ({
    type: 'tool.call',
    callId: id,
    name,
    kind: kindOf(name),
    input,
  }));
}
