import type { JsonObject, JsonValue } from '../wire';
import { eachCall } from './calls';
import type { AgentTurn, Part, ToolPart } from './chat-state';

/** A tool that the model's provider ran, as events and stored messages describe it. */
export interface ProviderTool {
  readonly callId: string;
  readonly name: string;
  readonly input?: JsonObject;
  readonly output?: JsonValue;
}

/** A call of which nothing but the name is known yet. */
export function newCall(callId: string, name: string): ToolPart {
  return { type: 'tool', callId, name, inputText: '', progress: [] };
}

/** Its only event arrives after its end. */
export function providerPart({ callId, name, input, output }: ProviderTool): ToolPart {
  return {
    ...newCall(callId, name),
    kind: 'provider',
    ranAtProvider: true,
    ...(input && { input }),
    ...(output !== undefined && {
      output: typeof output === 'string' ? output : JSON.stringify(output),
    }),
    outcome: 'ok',
  };
}

/**
 * The parts with a provider's tool before the text that uses it: while a step is in progress,
 * the text arrives first.
 */
export function withProviderTool(parts: readonly Part[], tool: ProviderTool): readonly Part[] {
  return parts.toSpliced(parts.at(-1)?.type === 'text' ? -1 : parts.length, 0, providerPart(tool));
}

/** The parts with one call changed, which is begun where it is not there yet. */
export function withCall(
  parts: readonly Part[],
  { callId, name = 'tool' }: { readonly callId: string; readonly name?: string },
  change: (part: ToolPart) => Partial<ToolPart>,
): readonly Part[] {
  const index = parts.findIndex((part) => part.type === 'tool' && part.callId === callId);
  const found = parts[index];
  const part = found?.type === 'tool' ? found : newCall(callId, name);
  const changed = { ...part, ...change(part) };
  return index < 0 ? [...parts, changed] : parts.with(index, changed);
}

/** A new message declines the open approvals of the run before it. */
export function declined(turn: AgentTurn): AgentTurn {
  if (turn.status !== 'requires_action') return turn;
  const parts = eachCall(turn.parts, (call) => {
    if (call.outcome !== undefined) return call;
    return { ...call, outcome: call.approval?.answer === 'approved' ? 'interrupted' : 'declined' };
  });
  return { ...turn, status: 'completed', parts };
}
