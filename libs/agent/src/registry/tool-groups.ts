import { AgentError, ToolDeclarationError } from '../tool';
import type { ToolGroup } from './tool-group';

const KEYS = new Set(['name', 'description', 'active', 'selectable']);

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
    const problems = problemsOf(group);
    if (problems.length > 0) {
      throw new ToolDeclarationError(`Tool group "${group.name}": ${problems.join('; ')}.`);
    }
    const kept = Object.freeze({ ...group });
    this.groups.set(kept.name, kept);
    this.snapshot = [...this.groups.values()];
    return kept;
  }
}

function problemsOf(group: ToolGroup): readonly string[] {
  const problems: string[] = [];
  if (typeof group.name !== 'string' || group.name === '') problems.push('a group needs a name');
  if (typeof group.description !== 'string' || group.description.trim() === '') {
    problems.push('a group needs a description, which tells the model what it is for');
  }
  if (typeof group.active !== 'boolean') problems.push('"active" must be true or false');
  if (group.selectable !== undefined && typeof group.selectable !== 'boolean') {
    problems.push('"selectable" must be true or false');
  }
  for (const key of Object.keys(group)) {
    if (!KEYS.has(key)) problems.push(`unknown key "${key}"`);
  }
  return problems;
}
