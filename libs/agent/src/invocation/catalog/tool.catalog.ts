import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import type { Message } from '../../message';
import { defaultActiveGroups } from '../../registry';
import {
  type BootReport,
  type CallContext,
  type Tool,
  type ToolContext,
  ToolDeclarationError,
} from '../../tool';
import type { AgentTools } from './agent-tools';
import { type BuiltinOptions, BuiltinTools, SEARCH_TOOLS, searchTools } from './builtins';
import {
  DEFAULT_TOOL_DEFAULTS,
  inactiveGroup,
  type RefusedCallError,
  type ToolDefaults,
} from '../call';
import type { PermissionRules } from '../permission';
import type { PresetRules } from '../provider';
import { thrownText } from '../../internal';
import { catalogueText, definitionBytes } from './catalogue-text';
import { GuardedOffer, type GuardRefusal, listingContext } from './guarded-offer';
import { revealedTools } from './revealed-tools';

/**
 * The module's option on offered tools.
 *
 * @example
 * const options: OfferOptions = {
 *   visible: ({ traits }, { principal }) => traits.readOnly || principal !== undefined,
 * };
 */
export interface OfferOptions {
  /**
   * Whether a caller is offered a tool, in addition to the tool's own `visible`; every tool by
   * default. Other callers cannot find the tool. An error withholds it. Not called for built-in and
   * frontend tools; `ctx.call` has no arguments yet.
   */
  readonly visible?: (tool: Tool, ctx: ToolContext) => boolean;
}

/**
 * The reason for withholding a tool: hidden from this caller, denied to all, or in an inactive
 * group.
 */
type Withheld = 'hidden' | 'denied' | 'inactive_group';

/** Further tools of an agent, which are not registered. */
export interface ToolList {
  list(): readonly Tool[];
  find(name: string): Tool | undefined;
}

const NO_TOOLS: ToolList = { list: () => [], find: () => undefined };

/** The most tools in a request that every provider takes; OpenAI, for one, refuses more. */
const MOST_TOOLS = 128;
/** With `onDemand`, the fraction of the whole list's bytes for the tools of a request. */
const ON_DEMAND_SHARE = 0.045;
/** A list up to this size is always sent. */
const SHORT_LIST_BYTES = 1_500;

/** Decides which tools a caller is offered, for lists, the model and calls. */
export class ToolCatalog {
  private readonly logger = new Logger(ToolCatalog.name);
  private readonly builtins: BuiltinTools;
  private readonly guarded: GuardedOffer;
  private isNumberReported = false;

  constructor(
    private readonly registered: AgentTools,
    private readonly rules: PermissionRules,
    private readonly presets: PresetRules,
    private readonly defaults: Pick<ToolDefaults, 'details' | 'offer'> = DEFAULT_TOOL_DEFAULTS,
    builtins: BuiltinOptions = {},
    private readonly offer: OfferOptions = {},
    report?: BootReport,
    private readonly asks: ToolList = NO_TOOLS,
  ) {
    this.guarded = new GuardedOffer(defaults.offer, report);
    this.builtins = new BuiltinTools(this, registered, builtins, defaults);
  }

  /**
   * @throws ToolDeclarationError if a tool of the application has a built-in tool's name
   */
  check(): void {
    for (const { definition } of this.builtins.list()) {
      const own = this.registered.find(definition.name);
      if (own === undefined) continue;
      throw new ToolDeclarationError(
        `${own.source} has the name of a built-in tool, "${definition.name}". Rename it with @Tool({ name }).`,
      );
    }
    this.warnOfUnknown('presets', this.presets.names);
    this.warnOfUnknown('permissions', this.rules.names);
  }

  /** All tools that this caller may use now: the application's, the run's own and built-in ones. */
  offered(context: CallContext): Promise<readonly Tool[]> {
    return this.offeredOf(this.everything(context), context);
  }

  /**
   * The tools for a request to the model. With `details: 'onDemand'` these are the search tools and
   * those that the conversation has looked up; the model may still call any offered tool.
   */
  async forModel(context: CallContext, messages: readonly Message[]): Promise<readonly Tool[]> {
    const offered = await this.offered(context);
    if (this.defaults.details === 'all') {
      this.warnOfMany(offered.length);
      return offered;
    }
    const own = await this.ownTools(context);
    const revealed = revealedTools(messages);
    const isKept = new Set(own.filter(({ definition }) => !revealed.has(definition.name)));
    const kept = offered.filter((tool) => !isKept.has(tool));
    const maxBytes = definitionBytes(own) * ON_DEMAND_SHARE - definitionBytes(this.builtins.list());
    const catalogue = catalogueText(own, Math.max(SHORT_LIST_BYTES, maxBytes));
    return kept.map((tool) =>
      tool.definition.name === SEARCH_TOOLS ? searchTools(this, this.registered, catalogue) : tool,
    );
  }

  /**
   * All tools, also those that the caller may not use: unique by name, with the precedence of `find`.
   *
   * @internal
   */
  everything({ tools: ownOfRun = [] }: CallContext): readonly Tool[] {
    const asks = this.asks.list();
    const builtins = this.builtins.list();
    const own = this.registered.tools();
    if (ownOfRun.length + asks.length + builtins.length === 0) return own;
    const byName = new Map<string, Tool>();
    const named = [...own, ...ownOfRun.map((tool) => this.presets.complete(tool))];
    for (const tool of named) byName.set(tool.definition.name, tool);
    for (const tool of asks) byName.set(tool.definition.name, tool);
    for (const tool of builtins) {
      if (!byName.has(tool.definition.name)) byName.set(tool.definition.name, tool);
    }
    return [...byName.values()];
  }

  /** The application's tools that this caller may use now, in order of registration. @internal */
  ownTools(context: CallContext): Promise<readonly Tool[]> {
    return this.offeredOf(this.registered.tools(), context);
  }

  /** Those of some tools that this caller may use now. @internal */
  async offeredOf(tools: readonly Tool[], context: CallContext): Promise<readonly Tool[]> {
    const active = this.activeGroups(context);
    const open = tools.filter((tool) => this.withheld(tool, context, () => active) === undefined);
    if (!open.some((tool) => this.guarded.isGuarded(tool))) return open;
    // Each guard that is asked listens to it: no leak for Node to warn of.
    if (context.signal !== undefined) setMaxListeners(0, context.signal);
    const refusals = await Promise.all(open.map((tool) => this.guarded.refusal(tool, context)));
    return open.filter((_, index) => refusals[index] === undefined);
  }

  /** The refusal of a call to a tool in an inactive group. @internal */
  inactiveGroup({ definition, group = '' }: Tool): RefusedCallError {
    const known = this.registered.groups().find(({ name }) => name === group);
    return inactiveGroup(definition.name, group, known?.selectable === true);
  }

  /** A tool of that name, offered or not, also one of the run alone. */
  find(name: string, { tools = [] }: Pick<CallContext, 'tools'>): Tool | undefined {
    const ownOfRun = tools.find(({ definition }) => definition.name === name);
    if (ownOfRun !== undefined) return this.presets.complete(ownOfRun);
    // A tool of that name that was registered later must not get the questions.
    return this.asks.find(name) ?? this.registered.find(name) ?? this.builtins.find(name);
  }

  /** @throws ToolDeclarationError for a preset of an unknown argument */
  assertTools(tools: readonly Tool[]): void {
    for (const tool of tools) this.presets.complete(tool);
  }

  /** Whether the name is taken, so that clients must not use it. */
  isTaken(name: string, context: Pick<CallContext, 'tools'>): boolean {
    return this.presets.names.includes(name) || this.find(name, context) !== undefined;
  }

  /**
   * The guards' refusal of a `guarded` tool for its caller. It prevents offers and approvals; a
   * call runs its guards again, with arguments.
   */
  guardRefusal(tool: Tool, context: CallContext): Promise<GuardRefusal | undefined> {
    return this.guarded.refusal(tool, context);
  }

  /** The reason for withholding a tool from this caller, apart from its guards. */
  withheld(
    tool: Tool,
    context: CallContext,
    active: () => ReadonlySet<string> = () => this.activeGroups(context),
  ): Withheld | undefined {
    if (!this.isVisible(tool, context)) return 'hidden';
    if (this.rules.isDeniedToAll(tool)) return 'denied';
    return tool.group !== undefined && !active().has(tool.group) ? 'inactive_group' : undefined;
  }

  /** Whether every call of the tool needs an approval. */
  alwaysAsks(tool: Tool): boolean {
    return this.rules.of(tool).includes('ask');
  }

  /** Not an error: a tool of that name may be registered later, or come with a run. */
  private warnOfUnknown(option: string, names: readonly string[]): void {
    const unknown = names.filter((name) => !this.find(name, {}));
    if (unknown.length === 0) return;
    this.logger.warn(
      `"${option}" names unknown tools: ${unknown.join(', ')}. It applies if they are registered later or come with a run; check the spelling.`,
    );
  }

  private warnOfMany(count: number): void {
    if (count <= MOST_TOOLS || this.isNumberReported) return;
    this.isNumberReported = true;
    this.logger.warn(
      `A request to the model has ${count} tools. Several providers, such as OpenAI, refuse more than ${MOST_TOOLS}. Set tools: { details: 'onDemand' }, or divide them by groups or among agents. (Logged once.)`,
    );
  }

  private activeGroups(context: CallContext): ReadonlySet<string> {
    return new Set(context.activeGroups ?? defaultActiveGroups(this.registered.groups()));
  }

  private isVisible(tool: Tool, context: CallContext): boolean {
    const { visible } = this.offer;
    const isOffered = visible && ((ctx: ToolContext): boolean => visible(tool, ctx));
    return (
      this.shows(tool, context, tool.visible, `"visible" of ${tool.source}`) &&
      (tool.origin !== undefined || this.shows(tool, context, isOffered, 'The option "visible"'))
    );
  }

  private shows(
    tool: Tool,
    context: CallContext,
    visible: Tool['visible'],
    asked: string,
  ): boolean {
    if (visible === undefined) return true;
    try {
      return visible(listingContext(tool, context)) === true;
    } catch (error) {
      this.logger.error(`${asked} failed; ${tool.source} was withheld.`, thrownText(error));
      return false;
    }
  }
}
