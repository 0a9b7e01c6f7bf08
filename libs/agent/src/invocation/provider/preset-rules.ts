import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Tool } from '../../tool';
import { withPresets } from './preset.tool';
import { PRESETS } from './provider.constants';
import type { Presets } from './provider-options.interface';

/** The module's `presets` by tool. */
@Injectable()
export class PresetRules {
  private readonly completed = new WeakMap<Tool, Tool>();

  constructor(@Optional() @Inject(PRESETS) private readonly presets: Presets = {}) {}

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
    let completed = this.completed.get(tool);
    if (completed === undefined) {
      completed = withPresets(tool, this.of(tool.definition.name, tool.foreignName));
      this.completed.set(tool, completed);
    }
    return completed;
  }

  /** The tool has been made with its presets: it is complete as it is. */
  keep(tool: Tool): void {
    this.completed.set(tool, tool);
  }
}
