import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Tool } from '../../tool';
import { withPresets } from './preset.tool';
import { PRESETS } from './provider.constants';
import type { Presets } from './provider-options.interface';

/** What the module's `presets` say of which tool: asked wherever a tool comes in. */
@Injectable()
export class PresetRules {
  private readonly completed = new WeakMap<Tool, Tool>();

  constructor(@Optional() @Inject(PRESETS) private readonly presets: Presets = {}) {}

  get names(): readonly string[] {
    return Object.keys(this.presets);
  }

  /** Those of a tool; one whose name was mapped may be named as it was registered. */
  of(name: string, foreignName: string = name): Readonly<Record<string, unknown>> {
    const key = Object.hasOwn(this.presets, name) ? name : foreignName;
    return Object.hasOwn(this.presets, key) ? (this.presets[key] ?? {}) : {};
  }

  /**
   * The tool with its presets, the same one each time.
   *
   * @throws ToolDeclarationError where a preset names no argument of the tool
   */
  complete(tool: Tool): Tool {
    let completed = this.completed.get(tool);
    if (completed === undefined) {
      completed = withPresets(tool, this.of(tool.definition.name, tool.foreignName));
      this.completed.set(tool, completed);
    }
    return completed;
  }
}
