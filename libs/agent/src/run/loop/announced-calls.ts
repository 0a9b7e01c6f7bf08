import { shownInput } from '../../invocation';
import type { AnnouncedCall } from '../../session';
import type { JsonObject, PendingAction, ToolUseBlock } from '../../message';
import type { Tool } from '../../tool';

/**
 * A call for the entry of its answer.
 *
 * @param input the arguments as they will be sent; the model's by default
 * @param awaits the actor that the call waits for
 */
export function announced(
  use: ToolUseBlock,
  tool: Tool | undefined,
  input: JsonObject = use.input,
  awaits?: PendingAction['type'],
): AnnouncedCall {
  const shown = shownInput(tool, input);
  const isSame = shown === use.input || JSON.stringify(shown) === JSON.stringify(use.input);
  return {
    callId: use.id,
    kind: tool?.kind ?? 'function',
    ...(!isSame && { input: shown }),
    ...(awaits && { awaits }),
  };
}
