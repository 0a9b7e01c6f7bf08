import { shownInput } from '../../invocation';
import type { AnnouncedCall } from '../../session';
import type { ToolUseBlock } from '../../message';
import type { Tool, ToolCall } from '../../tool';
import type { RequestedCall, ToolStep } from './tool-step';

/** As `announced`, for calls that are not created here. */
export function announcedUnchecked(
  uses: readonly ToolUseBlock[],
  toolOf: (name: string) => Tool | undefined,
): readonly AnnouncedCall[] {
  return uses.map(({ id: callId, name, input }) => {
    const tool = toolOf(name);
    const shown = shownInput(tool, input);
    return { callId, kind: tool?.kind ?? 'function', ...(shown !== input && { input: shown }) };
  });
}

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
