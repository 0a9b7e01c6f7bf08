import { hidesArguments, shownInput, type ToolCatalog } from '../../invocation';
import {
  joinedTexts,
  type ContentBlock,
  type JsonObject,
  type Message,
  type PendingAction,
} from '../../message';
import { placeOfCall, type RunCall } from '../../session';
import type { Tool } from '../../tool';
import type { ChatResult } from './chat-result';

/** Finds a call's tool, including the run's own tools. */
export type ToolOf = (name: string) => Tool | undefined;

/** @param tools the run's own tools, which are not registered */
export function toolsOf(catalog: ToolCatalog, tools: readonly Tool[] = []): ToolOf {
  return (name) => catalog.find(name, { tools });
}

/** Whether a call's arguments may be streamed: partial arguments cannot be masked. */
export function isShownPieceByPiece(name: string, toolOf: ToolOf): boolean {
  const tool = toolOf(name);
  return tool === undefined || !hidesArguments(tool);
}

/** @param calls the run's calls, with their arguments as shown before */
export function shownResult(
  result: ChatResult,
  toolOf: ToolOf,
  calls: readonly Pick<RunCall, 'id' | 'shownInput'>[],
): ChatResult {
  const before = (callId: string) => calls[placeOfCall(calls, callId)]?.shownInput;
  return {
    ...result,
    toolCalls: result.toolCalls.map((call) => withShownInput(call, toolOf, before(call.id))),
    pendingActions: result.pendingActions.map((action) =>
      withShownInput(action, toolOf, before(action.callId)),
    ),
  };
}

/**
 * A session's messages for its owner.
 *
 * @param before the arguments as shown before, by call id
 */
export function shownMessages<Said extends Message>(
  messages: readonly Said[],
  toolOf: ToolOf,
  before: ReadonlyMap<string, JsonObject>,
): readonly Said[] {
  return messages.map((message) => ({
    ...message,
    content: (message.role === 'assistant' ? joinedTexts(message.content) : message.content).map(
      (block) => shownBlock(block, toolOf, before),
    ),
  }));
}

/** Removes provider data and hidden arguments. */
function shownBlock(
  block: ContentBlock,
  toolOf: ToolOf,
  before: ReadonlyMap<string, JsonObject>,
): ContentBlock {
  const shown = 'providerData' in block ? withoutProviderData(block) : block;
  if (shown.type !== 'tool_use') return shown;
  const { type, id, name, input } = shown;
  const tool = toolOf(name);
  if (tool && !hidesArguments(tool)) return shown;
  // Malformed input cannot be masked, so it is omitted.
  return { type, id, name, input: shownInput(tool, input, before.get(id)) };
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
  before: JsonObject | undefined,
): Call {
  // Another agent's call is already masked by its own tools.
  if (call.agent !== undefined) return call;
  const input = shownInput(toolOf(call.name), call.input, before);
  return input === call.input ? call : { ...call, input };
}
