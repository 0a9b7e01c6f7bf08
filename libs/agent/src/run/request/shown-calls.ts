import { hidesArguments, shownInput, type ToolCatalog } from '../../invocation';
import {
  joinedTexts,
  type ContentBlock,
  type JsonObject,
  type Message,
  type PendingAction,
} from '../../message';
import type { Tool } from '../../tool';
import type { ChatResult } from './chat-result';

/** Finds a call's tool, including the run's own tools. */
export type ToolOf = (name: string) => Tool | undefined;

/** @param own the run's own tools, which are not registered */
export function toolsOf(catalog: ToolCatalog, own: readonly Tool[] = []): ToolOf {
  return (name) => own.find(({ definition }) => definition.name === name) ?? catalog.find(name, {});
}

/** Whether a call's arguments may be streamed: partial arguments cannot be masked. */
export function isShownPieceByPiece(name: string, toolOf: ToolOf): boolean {
  const tool = toolOf(name);
  return tool === undefined || !hidesArguments(tool);
}

export function shownResult(result: ChatResult, toolOf: ToolOf): ChatResult {
  return {
    ...result,
    toolCalls: result.toolCalls.map((call) => withShownInput(call, toolOf)),
    pendingActions: result.pendingActions.map((action) => withShownInput(action, toolOf)),
  };
}

/** A session's messages for its owner. */
export function shownMessages<Said extends Message>(
  messages: readonly Said[],
  toolOf: ToolOf,
): readonly Said[] {
  return messages.map((message) => ({
    ...message,
    content: (message.role === 'assistant' ? joinedTexts(message.content) : message.content).map(
      (block) => shownBlock(block, toolOf),
    ),
  }));
}

/** Removes provider data and hidden arguments. */
function shownBlock(block: ContentBlock, toolOf: ToolOf): ContentBlock {
  const shown = 'providerData' in block ? withoutProviderData(block) : block;
  if (shown.type !== 'tool_use') return shown;
  const tool = toolOf(shown.name);
  if (!tool || !hidesArguments(tool)) return shown;
  // Malformed input cannot be masked, so it is omitted.
  const { type, id, name, input } = shown;
  return withShownInput({ type, id, name, input }, toolOf);
}

function withoutProviderData<Block extends ContentBlock & { readonly providerData?: unknown }>({
  providerData: _,
  ...block
}: Block): ContentBlock {
  return block as ContentBlock;
}

function withShownInput<Call extends { readonly name: string; readonly input: JsonObject }>(
  call: Call & Pick<PendingAction, 'agent'>,
  toolOf: ToolOf,
): Call {
  // Another agent's call is already masked by its own tools.
  if (call.agent !== undefined) return call;
  const input = shownInput(toolOf(call.name), call.input);
  return input === call.input ? call : { ...call, input };
}
