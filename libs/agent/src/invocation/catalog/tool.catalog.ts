import { Inject, Injectable, Logger, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import type { Message } from '../../message';
import { defaultActiveGroups, ToolRegistry } from '../../registry';
import { ToolDeclarationError, type CallContext, type Tool } from '../../tool';
import type { BuiltinOptions } from '../builtins/builtin-options.interface';
import { BuiltinTools } from '../builtins/builtin.tools';
import { SEARCH_TOOLS, searchTools } from '../builtins/search-tools';
import { inactiveGroup, type RefusedCallError } from '../call/refusals';
import { BUILTIN_OPTIONS, PERMISSION_OPTIONS, TOOL_DEFAULTS } from '../invocation.constants';
import type { PermissionOptions } from '../permission/permission-options.interface';
import { PermissionRules } from '../permission/permission-rules';
import { withPresets } from '../preset.tool';
import type { Presets } from '../provider-options.interface';
import { PRESETS } from '../provider.constants';
import { thrownText } from '../thrown-text';
import { DEFAULT_TOOL_DEFAULTS, type ToolDefaults } from '../tool-defaults.interface';
import { catalogueText, definitionBytes } from './catalogue-text';
import { listingContext } from './listing-context';
import { revealedTools } from './revealed-tools';

/** Why a tool is not on offer: to this caller, to anybody, or as long as its group sleeps. */
export type Withheld = 'hidden' | 'denied' | 'inactive_group';

/** With `onDemand`, what the tools of a request may take of the bytes of the whole list. */
const ON_DEMAND_SHARE = 0.045;
/** A short list may be told whatever its share is. */
const SHORT_LIST_BYTES = 1_500;

/** Which tools a caller is offered: the one answer for lists, for the model and for calls. */
@Injectable()
export class ToolCatalog implements OnApplicationBootstrap {
  private readonly logger = new Logger(ToolCatalog.name);
  private readonly rules: PermissionRules;
  private readonly builtins: BuiltinTools;
  private readonly completed = new WeakMap<Tool, Tool>();

  constructor(
    private readonly registry: ToolRegistry,
    @Optional() @Inject(PERMISSION_OPTIONS) permissions: PermissionOptions = {},
    @Optional()
    @Inject(TOOL_DEFAULTS)
    private readonly defaults: Pick<ToolDefaults, 'details'> = DEFAULT_TOOL_DEFAULTS,
    @Optional() @Inject(BUILTIN_OPTIONS) builtins: BuiltinOptions = {},
    @Optional() @Inject(PRESETS) private readonly presets: Presets = {},
  ) {
    this.rules = new PermissionRules(permissions);
    this.builtins = new BuiltinTools(this, registry, builtins, defaults);
  }

  /** @throws ToolDeclarationError where a tool of the application has a built-in one's name @internal */
  onApplicationBootstrap(): void {
    for (const { definition } of this.builtins.list()) {
      const own = this.registry.find(definition.name);
      if (own === undefined) continue;
      throw new ToolDeclarationError(
        `${own.source} has the name of a built-in tool, "${definition.name}". Rename it with @Tool({ name }).`,
      );
    }
    this.warnOfUnknown('presets', Object.keys(this.presets));
    this.warnOfUnknown('permissions', this.rules.names);
  }

  /** Every tool this caller may use now: the application's, the run's own and the built-in ones. */
  offered(context: CallContext): readonly Tool[] {
    return this.available(this.all(context), context);
  }

  /**
   * The tools that go into a request to the model. With `details: 'onDemand'` these are the means
   * to find tools, and those that the conversation has looked up; any tool on offer may be called
   * nevertheless.
   */
  forModel(context: CallContext, messages: readonly Message[]): readonly Tool[] {
    const offered = this.offered(context);
    if (this.defaults.details === 'all') return offered;
    const own = this.ownTools(context);
    const revealed = revealedTools(messages);
    const isKept = new Set(own.filter(({ definition }) => !revealed.has(definition.name)));
    const kept = offered.filter((tool) => !isKept.has(tool));
    const maxBytes = definitionBytes(own) * ON_DEMAND_SHARE - definitionBytes(this.builtins.list());
    const catalogue = catalogueText(own, Math.max(SHORT_LIST_BYTES, maxBytes));
    return kept.map((tool) =>
      tool.definition.name === SEARCH_TOOLS ? searchTools(this, this.registry, catalogue) : tool,
    );
  }

  /** The application's tools that this caller may use now, in order of registration. @internal */
  ownTools(context: CallContext): readonly Tool[] {
    return this.available(this.registry.tools(), context);
  }

  /** The refusal of a call to a tool whose group sleeps. @internal */
  inactiveGroup({ definition, group = '' }: Tool): RefusedCallError {
    const known = this.registry.groups().find(({ name }) => name === group);
    return inactiveGroup(definition.name, group, known?.selectable === true);
  }

  /** A tool of that name, offered or not. */
  find(name: string, context: CallContext): Tool | undefined {
    const ownOfRun = context.tools?.find(({ definition }) => definition.name === name);
    if (ownOfRun !== undefined) return this.withPresets(ownOfRun);
    return this.registry.find(name) ?? this.builtins.find(name);
  }

  /** @throws ToolDeclarationError where a preset names no argument of one of these tools */
  assertTools(tools: readonly Tool[]): void {
    for (const tool of tools) this.withPresets(tool);
  }

  /** Whether no client may give a tool of its own this name. */
  isTaken(name: string, context: CallContext): boolean {
    return Object.hasOwn(this.presets, name) || this.find(name, context) !== undefined;
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

  /** Whether every call of the tool needs an approval, whatever its arguments and its caller. */
  alwaysAsks(tool: Tool): boolean {
    return this.rules.of(tool).includes('ask');
  }

  /** Each name once, as `find` would have it. */
  private all({ tools: ownOfRun = [] }: CallContext): readonly Tool[] {
    const builtins = this.builtins.list();
    const registered = this.registry.tools();
    if (ownOfRun.length === 0 && builtins.length === 0) return registered;
    const byName = new Map<string, Tool>();
    const named = [...registered, ...ownOfRun.map((tool) => this.withPresets(tool))];
    for (const tool of named) byName.set(tool.definition.name, tool);
    for (const tool of builtins) {
      if (!byName.has(tool.definition.name)) byName.set(tool.definition.name, tool);
    }
    return [...byName.values()];
  }

  /** A tool that comes with one run or call: the registry has its tools' presets already. */
  private withPresets(tool: Tool): Tool {
    // What the caller carries out is none of the application's, and presets are no caller's business.
    if (tool.isAnsweredByCaller === true) return tool;
    let completed = this.completed.get(tool);
    if (completed === undefined) {
      completed = withPresets(tool, this.presets);
      this.completed.set(tool, completed);
    }
    return completed;
  }

  private available(tools: readonly Tool[], context: CallContext): readonly Tool[] {
    const active = this.activeGroups(context);
    return tools.filter((tool) => this.withheld(tool, context, () => active) === undefined);
  }

  /** No error: a tool of that name may be registered later, or come with a run. */
  private warnOfUnknown(option: string, names: readonly string[]): void {
    const unknown = names.filter((name) => !this.registry.find(name) && !this.builtins.find(name));
    if (unknown.length === 0) return;
    this.logger.warn(
      `"${option}" names tools that there are none of so far: ${unknown.join(', ')}. It holds for them once they are registered or come with a run; is a name misspelt?`,
    );
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
        thrownText(error),
      );
      return false;
    }
  }
}
