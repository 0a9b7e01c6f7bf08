/**
 * Tools that are switched on and off together, per session.
 *
 * @example
 * const billing: ToolGroup = {
 *   name: 'billing',
 *   description: 'Invoices and payments',
 *   active: false,
 *   selectable: true,
 * };
 */
export interface ToolGroup {
  /** The name that tools refer to. */
  readonly name: string;
  /** The group's purpose; the model reads it before it activates the group. */
  readonly description: string;
  /** Whether a new session starts with it. */
  readonly active: boolean;
  /** Whether the model may activate it with `reset_equipped_tools`; `false` by default. */
  readonly selectable?: boolean;
}

/** The module's `groups` option: the tool groups there are from the start. */
export const TOOL_GROUPS = Symbol('nestjs-agent:tool-groups');

/** The groups that are active in a session that never changed them. */
export function defaultActiveGroups(groups: readonly ToolGroup[]): readonly string[] {
  return groups.filter(({ active }) => active).map(({ name }) => name);
}

/**
 * The active groups after the model's choice: the chosen selectable groups, and the other groups
 * that were active before.
 */
export function selectGroups(
  groups: readonly ToolGroup[],
  active: readonly string[],
  chosen: readonly string[],
): readonly string[] {
  return groups
    .filter(({ name, selectable }) => (selectable === true ? chosen : active).includes(name))
    .map(({ name }) => name);
}
