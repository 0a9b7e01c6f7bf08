import type { ToolCall } from './tool-call';
import type { ToolContext } from './tool-context';

/** Whether a call runs at once, after its caller's approval, or never. */
export type PermissionLevel = 'allow' | 'ask' | 'deny';

/**
 * A level, or a function of the call and its caller that returns one; `call.input` holds the
 * arguments. A function that throws, or returns anything else, denies the call.
 *
 * @example
 * const smallSumsOnly: Permission = ({ input }) => (Number(input['amount']) > 100 ? 'ask' : 'allow');
 */
export type Permission =
  | PermissionLevel
  | ((call: ToolCall, ctx: ToolContext) => PermissionLevel | Promise<PermissionLevel>);

const STRICTNESS: Readonly<Record<PermissionLevel, number>> = { allow: 0, ask: 1, deny: 2 };

/** The strictest of several levels; `allow` for an empty list. */
export function strictest(levels: Iterable<PermissionLevel>): PermissionLevel {
  let result: PermissionLevel = 'allow';
  for (const level of levels) if (STRICTNESS[level] > STRICTNESS[result]) result = level;
  return result;
}
