import type { AgentEvent } from '../wire/protocol';
import type { AgentTurn, Part, TextPart, ToolPart } from './chat-state';
import { withProviderTool } from './provider-tools';
import { withSource } from './sources';

/**
 * A turn after one more event. An event that is in it already changes nothing, so a stream may be
 * read again from anywhere.
 */
export function applyEvent(turn: AgentTurn, event: AgentEvent, now: number): AgentTurn {
  if (event.seq <= turn.seq) return turn;
  const next = { ...turn, seq: event.seq, runId: event.runId };
  switch (event.type) {
    case 'run.started':
      return { ...next, status: 'running' };
    case 'thinking.delta':
      return { ...next, parts: withText(turn.parts, 'thinking', event.delta) };
    case 'text.delta':
      return { ...next, parts: withText(turn.parts, 'text', event.delta) };
    case 'tool.input.delta':
      return change(next, event, (part) => ({
        kind: event.kind,
        inputText: part.inputText + event.delta,
      }));
    case 'tool.call':
      return change(next, event, (part) => ({
        kind: event.kind,
        input: event.input,
        startedAt: part.startedAt ?? now,
      }));
    case 'tool.progress':
      return change(next, event, (part) => ({ progress: [...part.progress, event.data] }));
    case 'tool.result':
      return change(next, event, () => ({
        output: event.output,
        outcome: event.outcome,
        durationMs: event.durationMs,
      }));
    case 'source':
      return { ...next, sources: withSource(turn.sources, event) };
    case 'provider.tool':
      return { ...next, parts: withProviderTool(turn.parts, event) };
    case 'notice':
      return { ...next, parts: [...turn.parts, { type: 'notice', text: event.message }] };
    case 'approval.required':
      return change(next, event, () => ({
        input: event.input,
        approval: { reason: event.reason, expiresAt: event.expiresAt },
      }));
    case 'frontend.call':
      return change(next, event, (part) => ({
        kind: 'frontend',
        input: event.input,
        startedAt: part.startedAt ?? now,
      }));
    case 'compaction':
      return { ...next, compacted: true };
    case 'error':
      return { ...next, error: { code: event.code, message: event.message } };
    case 'run.finished':
      return finish(next, event);
    case 'step.started':
    case 'step.finished':
      return next;
    default:
      return next;
  }
}

function finish(
  turn: AgentTurn,
  { status, stopReason, usage, message }: Extract<AgentEvent, { type: 'run.finished' }>,
): AgentTurn {
  const parts = withMessage(turn.parts, message);
  return { ...turn, parts, status, stopReason, usage };
}

/**
 * Where the run ends with words that no delta brought (the step limit, say, or what was told while
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

function change(
  turn: AgentTurn,
  { callId, ...event }: { readonly callId: string; readonly name?: string },
  edit: (part: ToolPart) => Partial<ToolPart>,
): AgentTurn {
  const index = turn.parts.findIndex((part) => part.type === 'tool' && part.callId === callId);
  if (index < 0) {
    const part = newCall(callId, event.name ?? 'tool');
    return { ...turn, parts: [...turn.parts, { ...part, ...edit(part) }] };
  }
  const parts = turn.parts.map((part, at) =>
    at === index && part.type === 'tool' ? { ...part, ...edit(part) } : part,
  );
  return { ...turn, parts };
}

/** A call of which nothing but the name is known yet. */
export function newCall(callId: string, name: string): ToolPart {
  return { type: 'tool', callId, name, inputText: '', progress: [] };
}
