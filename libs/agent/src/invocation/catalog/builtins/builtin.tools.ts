import type { ToolGroup } from '../../../registry';
import type { Tool } from '../../../tool';
import type { AgentTools } from '../agent-tools';
import type { ToolCatalog } from '../tool.catalog';
import type { ToolDefaults } from '../../call';
import { diagnosticsTools } from './diagnostics';
import { resetEquippedTools } from './reset-equipped-tools';
import { searchTools } from './search-tools';
import { toolDetail } from './tool-detail';

/**
 * The module's `builtins` option: tools of the library.
 *
 * @example
 * const builtins: BuiltinOptions = { diagnostics: true };
 */
export interface BuiltinOptions {
  /** Tools with figures of the process: memory, event loop, open handles; `false` by default. */
  readonly diagnostics?: boolean;
}

/** The active built-in tools. */
export class BuiltinTools {
  private readonly fixed: readonly Tool[];
  private groups: readonly ToolGroup[] | undefined;
  private equip: Tool | undefined;

  constructor(
    catalog: ToolCatalog,
    private readonly registered: AgentTools,
    options: BuiltinOptions,
    { details }: Pick<ToolDefaults, 'details'>,
  ) {
    this.fixed = [
      ...(details === 'onDemand' ? [searchTools(catalog, registered), toolDetail(catalog)] : []),
      ...(options.diagnostics === true ? diagnosticsTools() : []),
    ];
  }

  list(): readonly Tool[] {
    const equip = this.equipTool();
    return equip === undefined ? this.fixed : [...this.fixed, equip];
  }

  find(name: string): Tool | undefined {
    return this.list().find(({ definition }) => definition.name === name);
  }

  /** Needed if a group is selectable. */
  private equipTool(): Tool | undefined {
    const groups = this.registered.groups();
    if (groups !== this.groups) {
      this.groups = groups;
      const isNeeded = groups.some(({ selectable }) => selectable === true);
      this.equip = isNeeded ? resetEquippedTools(this.registered) : undefined;
    }
    return this.equip;
  }
}
