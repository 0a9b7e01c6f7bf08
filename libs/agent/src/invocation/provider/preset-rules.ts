import { getOrAdd } from '../../internal';
import type { Tool } from '../../tool';
import { withPresets } from './preset.tool';
import type { Presets } from './provider-options.interface';

/** The `presets` by tool: the module's, or those that one agent adds. */
export class PresetRules {
  private readonly completed = new WeakMap<Tool, Tool>();
  private readonly adapted = new WeakMap<Tool, Tool>();

  /** @param module the module's, where these are an agent's */
  constructor(
    private readonly presets: Presets = {},
    private readonly module?: PresetRules,
  ) {}

  get names(): readonly string[] {
    return Object.keys(this.presets);
  }

  /** The presets of a tool, by its name or its original name. */
  of(name: string, foreignName: string = name): Readonly<Record<string, unknown>> {
    const key = Object.hasOwn(this.presets, name) ? name : foreignName;
    return Object.hasOwn(this.presets, key) ? (this.presets[key] ?? {}) : {};
  }

  /**
   * The tool with its presets, cached.
   *
   * @throws ToolDeclarationError for a preset of an unknown argument
   */
  complete(tool: Tool): Tool {
    return getOrAdd(this.completed, tool, () =>
      this.module ? this.adapt(this.module.complete(tool)) : this.withOwn(tool),
    );
  }

  /**
   * A registered tool, which has the module's presets, with those of the agent; cached.
   *
   * @throws ToolDeclarationError for a preset of an unknown argument
   */
  adapt(tool: Tool): Tool {
    let adapted = this.adapted.get(tool);
    if (adapted === undefined) {
      adapted = this.withOwn(tool);
      if (adapted !== tool) this.adapted.set(tool, adapted);
    }
    return adapted;
  }

  /** The tool has been made with its presets: it is complete as it is. */
  keep(tool: Tool): void {
    this.completed.set(tool, tool);
  }

  private withOwn(tool: Tool): Tool {
    return withPresets(tool, this.of(tool.definition.name, tool.foreignName));
  }
}
