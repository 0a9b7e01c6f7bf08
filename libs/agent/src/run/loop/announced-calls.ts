import { shownInput } from '../../invocation';
import type { AnnouncedCall } from '../../session';
import type { ToolCall } from '../../tool';
import type { RequestedCall, ToolStep } from './tool-step';

/** The calls of an answer for its entry: kind, displayed arguments, and the awaited actor. */
export function announced(
  calls: readonly ToolCall[],
  requested: readonly RequestedCall[],
  step: ToolStep,
): readonly AnnouncedCall[] {
  return calls.map((call, index) => {
    const { id, tool, input } = call;
    const shown = shownInput(tool, input);
    const isSame = JSON.stringify(shown) === JSON.stringify(requested[index]?.use.input);
    const awaits = step.awaitedBy(call, index);
    return {
      callId: id,
      kind: tool?.kind ?? 'function',
      ...(!isSame && { input: shown }),
      ...(awaits && { awaits }),
    };
  });
}
