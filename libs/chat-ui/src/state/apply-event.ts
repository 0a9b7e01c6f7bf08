import type { AgentEvent } from '../wire';
import { withAnswered, withAsked } from './asked-runs';
import type { Account, AgentTurn, Part, TextPart } from './chat-state';
import { withSource } from './sources';
import { withCall, withProviderTool } from './tool-parts';

/**
 * A turn after one more event. An event that is in it already changes nothing, so a stream may be
 * read again from anywhere.
 */
export function applyEvent(turn: AgentTurn, event: AgentEvent, now: number): AgentTurn {
  if (event.seq <= turn.seq) return turn;
  return { ...turn, ...changeOf(turn, event, now), seq: event.seq, runId: event.runId };
}

function changeOf(turn: AgentTurn, event: AgentEvent, now: number): Partial<AgentTurn> {
  const { agent, parentCallId } = event;
  if (agent !== undefined && parentCallId !== undefined) {
    const asked = { agent, parentCallId };
    return { parts: withAsked(turn.parts, asked, (run) => accountOf(run, event, now)) };
  }
  switch (event.type) {
    case 'run.started':
      return { status: 'running' };
    case 'step.started':
      return { stepAt: turn.parts.length };
    case 'step.finished':
      return { stepAt: undefined };
    case 'step.discarded':
      return { parts: turn.parts.slice(0, turn.stepAt), stepAt: undefined };
    case 'error':
      return { error: { code: event.code, message: event.message } };
    case 'run.finished': {
      const { status, stopReason, usage, message, pendingActions } = event;
      const parts = withAnswered(withMessage(turn.parts, message), pendingActions);
      return { parts, status, stopReason, usage };
    }
    default:
      return accountOf(turn, event, now);
  }
}

/** Adds an event to the turn or call of the agent whose event it is. */
function accountOf({ parts, sources }: Account, event: AgentEvent, now: number): Partial<Account> {
  switch (event.type) {
    case 'thinking.delta':
      return { parts: withText(parts, 'thinking', event.delta) };
    case 'text.delta':
    case 'agent.text.delta':
      return { parts: withText(parts, 'text', event.delta) };
    case 'tool.input.delta': {
      const { kind, delta } = event;
      return {
        parts: withCall(parts, event, ({ inputText }) => ({ kind, inputText: inputText + delta })),
      };
    }
    case 'tool.call':
    case 'frontend.call': {
      const { input } = event;
      const kind = event.type === 'tool.call' ? event.kind : 'frontend';
      const isExternal = event.type === 'tool.call' && event.awaits === 'external';
      const change = ({ startedAt = now }) => ({
        kind,
        input,
        startedAt,
        ...(isExternal && { isExternal }),
      });
      return { parts: withCall(parts, event, change) };
    }
    case 'tool.progress':
      return {
        parts: withCall(parts, event, ({ progress }) => ({ progress: [...progress, event.data] })),
      };
    case 'tool.result': {
      const { output, outcome, durationMs } = event;
      return { parts: withCall(parts, event, () => ({ output, outcome, durationMs })) };
    }
    case 'approval.required': {
      const { input, reason, expiresAt } = event;
      return { parts: withCall(parts, event, () => ({ input, approval: { reason, expiresAt } })) };
    }
    case 'source':
      return { sources: withSource(sources, event) };
    case 'provider.tool':
      return { parts: withProviderTool(parts, event) };
    case 'notice':
      return { parts: [...parts, { type: 'notice', text: event.message }] };
    case 'compaction':
      return { compacted: true };
    default:
      return {};
  }
}

/**
 * Where the run ends with words that no delta brought (the step limit, say, or words that came while
 * the connection was lost), they are shown too.
 */
function withMessage(parts: readonly Part[], message: string): readonly Part[] {
  const isSaid = parts.some((part) => part.type === 'text' && part.text.includes(message));
  if (message === '' || isSaid) return parts;
  const last = parts.at(-1);
  const begun = last?.type === 'text' && message.startsWith(last.text) ? last.text.length : 0;
  return withText(parts, 'text', message.slice(begun));
}

function withText(parts: readonly Part[], type: TextPart['type'], delta: string): readonly Part[] {
  const last = parts.at(-1);
  if (last?.type !== type) return [...parts, { type, text: delta }];
  return [...parts.slice(0, -1), { type, text: last.text + delta }];
}
