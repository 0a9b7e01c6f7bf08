import type { JsonObject, JsonValue } from '../wire/protocol';
import type { Part, ToolPart } from './chat-state';

/** What is told of a tool that the model's provider ran. */
export interface ProviderTool {
  readonly callId: string;
  readonly name: string;
  readonly input?: JsonObject;
  readonly output?: JsonValue;
}

/**
 * The parts with a provider's tool before the words that it was run for: while a step is under way,
 * they are told first.
 */
export function withProviderTool(parts: readonly Part[], tool: ProviderTool): readonly Part[] {
  const at = parts.at(-1)?.type === 'text' ? parts.length - 1 : parts.length;
  return [...parts.slice(0, at), providerPart(tool), ...parts.slice(at)];
}

/** It is over before anything is told of it. */
export function providerPart({ callId, name, input, output }: ProviderTool): ToolPart {
  return {
    type: 'tool',
    callId,
    name,
    kind: 'provider',
    ranAtProvider: true,
    inputText: '',
    ...(input && { input }),
    progress: [],
    ...(output !== undefined && {
      output: typeof output === 'string' ? output : JSON.stringify(output),
    }),
    outcome: 'ok',
  };
}
