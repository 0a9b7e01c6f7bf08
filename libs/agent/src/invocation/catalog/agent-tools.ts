import type { ToolGroup, ToolRegistry } from '../../registry';
import { InvalidOptionsError, type Tool, type ToolDefinition } from '../../tool';
import { PresetRules } from '../provider';
import { idlePatterns, selects, type ToolSelection } from './tool-selection';

export interface AgentSelection extends ToolSelection {
  /** The agent's name, for messages. */
  readonly agent: string;
}

/**
 * The registered tools of one agent: a view of the registry, with the agent's presets. It holds
 * references alone; definitions and schemas are the registry's.
 */
export class AgentTools {
  private readonly isSelected: (tool: Tool) => boolean;
  private seen: readonly Tool[] = [];
  private selected: readonly Tool[] = [];

  constructor(
    private readonly registry: ToolRegistry,
    private readonly presets: PresetRules = new PresetRules(),
    private readonly selection?: AgentSelection,
  ) {
    this.isSelected = selects(selection ?? {});
  }

  /** @throws InvalidOptionsError for a pattern that matches no tool */
  check(): void {
    if (this.selection === undefined) return;
    const idle = idlePatterns(this.selection, this.registry.tools());
    if (idle.length === 0) return;
    const patterns = idle.map((pattern) => `"${pattern}"`).join(', ');
    throw new InvalidOptionsError(
      [`options.tools of the agent "${this.selection.agent}" has patterns of no tool: ${patterns}`],
      'AgentModule.forFeature',
    );
  }

  /** In order of registration; the same array until the registry's tools change. */
  tools(): readonly Tool[] {
    const registered = this.registry.tools();
    if (this.selection === undefined) return registered;
    if (registered !== this.seen) {
      this.selected = registered.filter(this.isSelected).map((tool) => this.presets.adapt(tool));
      this.seen = registered;
    }
    return this.selected;
  }

  /** A tool by either of its names. */
  find(name: string): Tool | undefined {
    const tool = this.registry.find(name);
    if (tool === undefined || this.selection === undefined) return tool;
    return this.isSelected(tool) ? this.presets.adapt(tool) : undefined;
  }

  groups(): readonly ToolGroup[] {
    return this.registry.groups();
  }

  search(query: string): readonly ToolDefinition[] {
    const found = this.registry.search(query);
    if (this.selection === undefined) return found;
    return found.flatMap(({ name }) => this.find(name)?.definition ?? []);
  }
}
