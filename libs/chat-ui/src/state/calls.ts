import type { Part, ToolPart } from './chat-state';

/** All calls, those of asked agents included, in the order they are shown. */
export function callsIn(parts: readonly Part[]): readonly ToolPart[] {
  return parts.flatMap((part) =>
    part.type === 'tool' ? [part, ...callsIn(part.asked?.parts ?? [])] : [],
  );
}

/** The parts with each call changed, those of asked agents included. */
export function eachCall(
  parts: readonly Part[],
  change: (call: ToolPart) => ToolPart,
): readonly Part[] {
  return parts.map((part) => {
    if (part.type !== 'tool') return part;
    const { asked, ...call } = change(part);
    return asked ? { ...call, asked: { ...asked, parts: eachCall(asked.parts, change) } } : call;
  });
}
