import { Inject, Injectable, Logger, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { isJsonObject, type JsonObject } from '../message';
import { AgentError, ToolDeclarationError, type Tool, type ToolDefinition } from '../tool';
import { defineTool, type DescribedTool, type InputOf, type ToolSchema } from './define-tool';
import { assertDefinition, assertOutline } from './definition-check';
import { toToolName } from './foreign-name';
import { frozenCopy } from './frozen-copy';
import { functionTool } from './function-tool';
import { TOOL_GROUPS, TOOLKIT_BUILDER } from './registry.constants';
import type { ToolGroup } from './tool-group';
import { ToolGroups } from './tool-groups';
import type { FunctionToolOptions, ToolHandler } from './tool-handler';
import { ToolSearch } from './tool-search';
import { toolsOfToolkit, type RuntimeToolkit } from './toolkit';
import type { ToolkitBuilder } from './toolkit-builder.interface';

interface Registration {
  readonly tool: Tool;
  /** Declared by a decorator: it stays as long as the application. */
  readonly isFixed: boolean;
  /** The run-time toolkit that it comes and goes with. */
  readonly toolkit?: string;
  /** A frozen copy, made when somebody first asks. */
  definition?: ToolDefinition;
}

/** What one change of the registry did, as the names that tools have there. */
export interface RegistryChange {
  /** Tools that came. */
  readonly added: readonly string[];
  /** Tools that went. */
  readonly removed: readonly string[];
  /** Tools that another one stands for since, under the same name. */
  readonly replaced: readonly string[];
}

/**
 * All tools of the application, by name. Filled at boot from decorators; tools made at run time
 * may come and go.
 *
 * @example
 * \@Injectable()
 * export class PluginTools implements OnModuleInit {
 *   constructor(private readonly registry: ToolRegistry) {}
 *
 *   onModuleInit(): void {
 *     this.registry.register(
 *       { name: 'ping', description: 'Answer pong', input_schema: { type: 'object' } },
 *       () => 'pong',
 *       { readOnly: true },
 *     );
 *   }
 * }
 */
@Injectable()
export class ToolRegistry implements OnApplicationBootstrap {
  private readonly logger = new Logger(ToolRegistry.name);
  private readonly registrations = new Map<string, Registration>();
  private readonly toolGroups = new ToolGroups();
  private readonly toolkits = new Set<string>();
  private readonly changed = new Subject<RegistryChange>();
  private snapshot: readonly Tool[] | undefined;
  private index: ToolSearch | undefined;

  /**
   * What comes, goes and is replaced, from now on: one value for all that one call changed. Groups
   * are not part of it.
   */
  readonly changes: Observable<RegistryChange> = this.changed.asObservable();

  /** @internal */
  constructor(
    @Optional() @Inject(TOOLKIT_BUILDER) private readonly toolkitBuilder?: ToolkitBuilder,
    @Optional() @Inject(TOOL_GROUPS) groups: readonly ToolGroup[] = [],
  ) {
    for (const group of groups) this.toolGroups.create(group);
  }

  /** @internal */
  onApplicationBootstrap(): void {
    for (const { source, group } of this.tools()) {
      if (group === undefined || this.toolGroups.has(group)) continue;
      this.logger.warn(
        `${source} is in the tool group "${group}", which is not declared, so nobody is offered it. Add the group to the module's "groups", or call ToolRegistry.createGroup().`,
      );
    }
  }

  /** Every tool's definition, frozen, in order of registration. */
  list(): readonly ToolDefinition[] {
    return [...this.registrations.values()].map(definitionOf);
  }

  /**
   * A tool's definition, frozen; `undefined` where there is none of that name.
   *
   * @param name the tool's; a run-time tool is found by the name it was registered under too
   */
  get(name: string): ToolDefinition | undefined {
    const registration = this.registrationOf(name);
    return registration && definitionOf(registration);
  }

  /**
   * The definitions that fit some words, the best first.
   *
   * @param query what is looked for in names, descriptions, parameters, groups and toolkits
   */
  search(query: string): readonly ToolDefinition[] {
    this.index ??= new ToolSearch(this.tools());
    return this.index
      .search(query)
      .map((name) => this.get(name))
      .filter((definition) => definition !== undefined);
  }

  /**
   * Adds a tool at run time; it takes the same path as a decorated one, checks included. A name
   * that providers do not accept is mapped, and the tool is found by both.
   *
   * @param tool what `defineTool` made
   * @returns its definition, frozen
   * @throws ToolDeclarationError listing every problem, or naming the tool whose name it is
   */
  register(tool: Tool): ToolDefinition;
  /**
   * Adds a tool at run time, of a definition and a function.
   *
   * @typeParam Input what the arguments that the schema accepts look like; the handler's first
   *   parameter. It is not checked against the schema
   * @param definition what the model is told of it
   * @param handler does its work
   * @param options none by default
   * @returns its definition, frozen
   * @throws ToolDeclarationError listing every problem, or naming the tool whose name it is
   */
  register<Input extends object = JsonObject>(
    definition: ToolDefinition,
    handler: ToolHandler<Input>,
    options?: FunctionToolOptions,
  ): ToolDefinition;
  /**
   * Adds a tool at run time whose input is described by a DTO class, a Standard Schema or a JSON
   * Schema, as `defineTool` takes it; the handler's first parameter has its type.
   *
   * @typeParam Source the type of `input`
   * @param description name, description, input and output
   * @param handler does its work
   * @param options none by default
   * @returns its definition, frozen
   * @throws ToolDeclarationError listing every problem, or naming the tool whose name it is
   */
  register<Source extends ToolSchema>(
    description: DescribedTool<Source>,
    handler: ToolHandler<InputOf<Source>>,
    options?: FunctionToolOptions,
  ): ToolDefinition;
  register(
    subject: Tool | ToolDefinition | DescribedTool<ToolSchema>,
    handler?: ToolHandler<never>,
    options?: FunctionToolOptions,
  ): ToolDefinition {
    const tool = isTool(subject) ? subject : toolOf(subject, requireHandler(handler), options);
    return this.put(this.completed(tool));
  }

  /**
   * Puts a run-time tool in the place of the one that has its name. Calls under way keep theirs.
   *
   * @param tool what `defineTool` made
   * @returns its definition, frozen
   * @throws AgentError `tool_not_found` where no tool has its name, `tool_is_fixed` for a decorated one
   */
  replace(tool: Tool): ToolDefinition {
    const other = this.removable(tool.definition.name);
    if (other === undefined) {
      throw new AgentError(
        'tool_not_found',
        `There is no tool "${tool.definition.name}" to replace. Use register().`,
      );
    }
    const { group = other.tool.group, toolkit = other.tool.toolkit } = tool;
    const successor = this.completed({
      ...tool,
      ...(group !== undefined && { group }),
      ...(toolkit && { toolkit }),
    });
    return this.put(successor, other);
  }

  /**
   * Adds the tools of an instance whose class is decorated with `@Toolkit` and `@Tool`: all of
   * them, or none where one is refused.
   *
   * @param instance need not be a provider; its toolkit has the name of its class
   * @returns their definitions, frozen
   * @throws ToolDeclarationError where the class has no tool or declares one wrongly, or a name is taken
   */
  registerToolkit(instance: object): readonly ToolDefinition[];
  /**
   * Adds run-time tools that belong together: all of them, or none where one is refused.
   *
   * @param toolkit its name, its tools, and what they have in common
   * @returns their definitions, frozen
   * @throws ToolDeclarationError where a name is taken, the toolkit's or a tool's
   */
  registerToolkit(toolkit: RuntimeToolkit): readonly ToolDefinition[];
  registerToolkit(subject: object): readonly ToolDefinition[] {
    const { name, tools } = isPlain(subject)
      ? this.toolkitOf(subject as RuntimeToolkit)
      : { name: subject.constructor.name, tools: this.decoratedTools(subject) };
    return this.putToolkit(name, tools);
  }

  /**
   * Puts a toolkit in the place of the one that has its name, at once: tools of the same name are
   * replaced, the others come and go. Calls under way keep theirs.
   *
   * @param toolkit with all its tools
   * @returns their definitions, frozen
   * @throws AgentError `toolkit_not_found` where no run-time toolkit has its name
   * @throws ToolDeclarationError where another tool has a tool's name; then nothing has changed
   */
  replaceToolkit(toolkit: RuntimeToolkit): readonly ToolDefinition[] {
    if (!this.toolkits.has(toolkit.name)) {
      throw new AgentError(
        'toolkit_not_found',
        `There is no toolkit "${toolkit.name}" to replace. Use registerToolkit().`,
      );
    }
    return this.putToolkit(toolkit.name, this.completedTools(toolkit));
  }

  /**
   * Removes a toolkit that came at run time, with all its tools; `false` where there is none of that
   * name. Calls under way go on.
   *
   * @param name the toolkit's; that of its class where it was an instance
   */
  unregisterToolkit(name: string): boolean {
    if (!this.toolkits.has(name)) return false;
    this.putToolkit(name, []);
    this.toolkits.delete(name);
    return true;
  }

  /**
   * Removes a run-time tool; `false` where there is none of that name. Calls under way go on.
   *
   * @param name the tool's, or that it was registered under
   * @throws AgentError `tool_is_fixed` for a decorated tool
   */
  unregister(name: string): boolean {
    const registration = this.removable(name);
    if (registration === undefined) return false;
    this.change([registration], []);
    return true;
  }

  /**
   * Adds a group of tools.
   *
   * @param group tools name it by its `name`, before or after
   * @returns the group, frozen
   * @throws ToolDeclarationError where the name is taken or the group is incomplete
   */
  createGroup(group: ToolGroup): ToolGroup {
    return this.toolGroups.create(group);
  }

  /**
   * Changes a group's description, or what new sessions start with.
   *
   * @param name the group's
   * @param patch what is left out stays as it is
   * @returns the group, frozen
   * @throws AgentError `group_not_found` where there is no such group
   * @throws ToolDeclarationError where the group would be incomplete
   */
  updateGroup(name: string, patch: Partial<Omit<ToolGroup, 'name'>>): ToolGroup {
    return this.toolGroups.update(name, patch);
  }

  /** Every group, the module's first. Which are active is a session's matter. */
  groups(): readonly ToolGroup[] {
    return this.toolGroups.list();
  }

  /** Adds a tool that discovery built. @internal */
  add(tool: Tool): void {
    this.change([], [{ tool, isFixed: true }]);
  }

  /** A tool by either of its names. @internal */
  find(name: string): Tool | undefined {
    return this.registrationOf(name)?.tool;
  }

  /** Every tool; the same array until a tool comes or goes. @internal */
  tools(): readonly Tool[] {
    this.snapshot ??= [...this.registrations.values()].map(({ tool }) => tool);
    return this.snapshot;
  }

  private registrationOf(name: string): Registration | undefined {
    return this.registrations.get(name) ?? this.registrations.get(toToolName(name));
  }

  /** A run-time tool by either of its names. @throws AgentError `tool_is_fixed` for a decorated one */
  private removable(name: string): Registration | undefined {
    const registration = this.registrationOf(name);
    if (registration?.isFixed !== true) return registration;
    throw new AgentError(
      'tool_is_fixed',
      `${registration.tool.source} declares the tool "${name}" with a decorator; it cannot be unregistered or replaced. Use a group, "visible" or a permission to withhold it.`,
    );
  }

  private toolkitOf(toolkit: RuntimeToolkit): { name: string; tools: readonly Tool[] } {
    const { name, description } = toolkit;
    if (typeof name !== 'string' || name === '') {
      throw new ToolDeclarationError('A toolkit needs a name.');
    }
    if (typeof description !== 'string' || description.trim() === '') {
      throw new ToolDeclarationError(`Toolkit "${name}": a toolkit needs a description.`);
    }
    if (this.toolkits.has(name) || this.tools().some((tool) => tool.toolkit?.name === name)) {
      throw new ToolDeclarationError(`There is a toolkit "${name}" already.`);
    }
    return { name, tools: this.completedTools(toolkit) };
  }

  private decoratedTools(instance: object): readonly Tool[] {
    if (this.toolkitBuilder !== undefined) return this.toolkitBuilder.build(instance);
    throw new AgentError(
      'no_toolkit_builder',
      'This ToolRegistry cannot read decorated instances; use the one that AgentModule provides.',
    );
  }

  private completedTools(toolkit: RuntimeToolkit): readonly Tool[] {
    return toolsOfToolkit(toolkit).map((tool) => this.completed(tool));
  }

  /** With the module's presets. */
  private completed(tool: Tool): Tool {
    return this.toolkitBuilder?.complete(tool) ?? tool;
  }

  private put(tool: Tool, other?: Registration): ToolDefinition {
    const kept: Registration = { ...other, tool, isFixed: false, definition: undefined };
    this.change(other ? [other] : [], [kept]);
    return definitionOf(kept);
  }

  /** In the place of what the toolkit has had so far. */
  private putToolkit(toolkit: string, tools: readonly Tool[]): readonly ToolDefinition[] {
    const kept = tools.map((tool): Registration => ({ tool, isFixed: false, toolkit }));
    const registered = [...this.registrations.values()];
    this.change(
      registered.filter((other) => other.toolkit === toolkit),
      kept,
    );
    this.toolkits.add(toolkit);
    return kept.map(definitionOf);
  }

  /** The one place where tools come and go: all that is asked for, or nothing where one is refused. */
  private change(old: readonly Registration[], kept: readonly Registration[]): void {
    const before = new Set(old.map(nameOf));
    const next = new Map<string, Registration>();
    for (const registration of kept) {
      const { tool, isFixed } = registration;
      // What discovery built has schemas that were made here, or were checked where they came in.
      if (isFixed) assertOutline(tool.definition, tool.source);
      else assertDefinition(tool.definition, tool.source);
      const name = nameOf(registration);
      const other = next.get(name) ?? (before.has(name) ? undefined : this.registrations.get(name));
      if (other !== undefined) throw nameTaken(name, other.tool, tool);
      next.set(name, registration);
    }
    const removed = [...before].filter((name) => !next.has(name));
    const replaced = [...next.keys()].filter((name) => before.has(name));
    const added = [...next.keys()].filter((name) => !before.has(name));
    for (const name of removed) this.registrations.delete(name);
    for (const [name, registration] of next) this.registrations.set(name, registration);
    this.snapshot = undefined;
    this.index = undefined;
    if (removed.length + next.size > 0) this.changed.next({ added, removed, replaced });
  }
}

function nameOf({ tool }: Registration): string {
  return tool.definition.name;
}

/** Not an instance of a class, which may be decorated. */
function isPlain(subject: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(subject);
  return prototype === Object.prototype || prototype === null;
}

function nameTaken(name: string, other: Tool, tool: Tool): ToolDeclarationError {
  return new ToolDeclarationError(
    `Two tools have the name "${name}": ${other.source} and ${tool.source}. Rename one with @Tool({ name }), or set a prefix with @Toolkit({ prefix }).`,
  );
}

function definitionOf(registration: Registration): ToolDefinition {
  registration.definition ??= frozenCopy(registration.tool.definition);
  return registration.definition;
}

function isTool(subject: object): subject is Tool {
  return isJsonObject(subject) && 'definition' in subject;
}

function toolOf(
  subject: ToolDefinition | DescribedTool<ToolSchema>,
  handler: ToolHandler<never>,
  options: FunctionToolOptions | undefined,
): Tool {
  const isDescribed = isJsonObject(subject) && 'input' in subject;
  return isDescribed
    ? defineTool({
        ...options,
        ...(subject as DescribedTool<ToolSchema>),
        execute: handler as ToolHandler<InputOf<ToolSchema>>,
      })
    : functionTool(subject as ToolDefinition, handler, options);
}

function requireHandler(handler: ToolHandler<never> | undefined): ToolHandler<never> {
  if (typeof handler === 'function') return handler;
  throw new ToolDeclarationError(
    'ToolRegistry.register() needs a handler, a function of the input, beside the definition.',
  );
}
