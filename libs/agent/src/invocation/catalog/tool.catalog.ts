import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { defaultActiveGroups, ToolRegistry } from '../../registry';
import type { CallContext, Tool } from '../../tool';
import { PERMISSION_OPTIONS } from '../invocation.constants';
import type { PermissionOptions } from '../permission/permission-options.interface';
import { PermissionRules } from '../permission/permission-rules';
import { listingContext } from './listing-context';

/** Why a tool is not on offer: to this caller, to anybody, or as long as its group sleeps. */
export type Withheld = 'hidden' | 'denied' | 'inactive_group';

/** Which tools a caller is offered: the one answer for lists, for the model and for calls. */
@Injectable()
export class ToolCatalog {
  private readonly logger = new Logger(ToolCatalog.name);
  private readonly rules: PermissionRules;

  constructor(
    private readonly registry: ToolRegistry,
    @Optional() @Inject(PERMISSION_OPTIONS) permissions: PermissionOptions = {},
  ) {
    this.rules = new PermissionRules(permissions);
  }

  /** The tools this caller may use now, in order of registration. */
  offered(context: CallContext): readonly Tool[] {
    const active = this.activeGroups(context);
    return this.all(context).filter(
      (tool) => this.withheld(tool, context, () => active) === undefined,
    );
  }

  /** A tool of that name, offered or not. */
  find(name: string, context: CallContext): Tool | undefined {
    return (
      context.tools?.find(({ definition }) => definition.name === name) ?? this.registry.find(name)
    );
  }

  /** Why a tool is withheld from this caller; `undefined` where it is on offer. */
  withheld(
    tool: Tool,
    context: CallContext,
    active: () => ReadonlySet<string> = () => this.activeGroups(context),
  ): Withheld | undefined {
    if (!this.isVisible(tool, context)) return 'hidden';
    if (this.rules.isDeniedToAll(tool)) return 'denied';
    return tool.group !== undefined && !active().has(tool.group) ? 'inactive_group' : undefined;
  }

  private all(context: CallContext): readonly Tool[] {
    const own = context.tools ?? [];
    return own.length === 0 ? this.registry.tools() : [...this.registry.tools(), ...own];
  }

  private activeGroups(context: CallContext): ReadonlySet<string> {
    return new Set(context.activeGroups ?? defaultActiveGroups(this.registry.groups()));
  }

  private isVisible(tool: Tool, context: CallContext): boolean {
    if (tool.visible === undefined) return true;
    try {
      return tool.visible(listingContext(tool, context)) === true;
    } catch (error) {
      this.logger.error(
        `"visible" of ${tool.source} failed; the tool was withheld.`,
        error instanceof Error ? error.stack : String(error),
      );
      return false;
    }
  }
}
