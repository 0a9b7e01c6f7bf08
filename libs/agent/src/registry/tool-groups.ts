import { AgentError, ToolDeclarationError } from '../tool';
import { isFilled, keyProblems, type KeyRules } from './key-problems';

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

const RULES: KeyRules<ToolGroup> = {
  name: (name) => (typeof name !== 'string' || name === '') && 'a group needs a name',
  description: (text) =>
    !isFilled(text) && 'a group needs a description, which tells the model its purpose',
  active: (active) => typeof active !== 'boolean' && '"active" must be true or false',
  selectable: (selectable) =>
    selectable !== undefined &&
    typeof selectable !== 'boolean' &&
    '"selectable" must be true or false',
};

/** The groups an application has declared, by name. Which are active is a session's matter. */
export class ToolGroups {
  private readonly groups = new Map<string, ToolGroup>();
  private snapshot: readonly ToolGroup[] = [];

  create(group: ToolGroup): ToolGroup {
    if (this.groups.has(group.name)) {
      throw new ToolDeclarationError(`There is a tool group "${group.name}" already.`);
    }
    return this.keep(group);
  }

  update(name: string, patch: Partial<Omit<ToolGroup, 'name'>>): ToolGroup {
    const group = this.groups.get(name);
    if (group === undefined) {
      throw new AgentError('group_not_found', `There is no tool group "${name}".`);
    }
    return this.keep({ ...group, ...patch, name });
  }

  has(name: string): boolean {
    return this.groups.has(name);
  }

  /** The same array until a group is added or changed. */
  list(): readonly ToolGroup[] {
    return this.snapshot;
  }

  private keep(group: ToolGroup): ToolGroup {
    const problems = keyProblems(RULES, group);
    if (problems.length > 0) {
      throw new ToolDeclarationError(`Tool group "${group.name}": ${problems.join('; ')}.`);
    }
    const kept = Object.freeze({ ...group });
    this.groups.set(kept.name, kept);
    this.snapshot = [...this.groups.values()];
    return kept;
  }
}
