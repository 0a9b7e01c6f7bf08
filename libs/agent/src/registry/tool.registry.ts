import { Inject, Injectable, Logger, Optional, type OnApplicationBootstrap } from '@nestjs/common';
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
import type { ToolkitBuilder } from './toolkit-builder.interface';

interface Registration {
  readonly tool: Tool;
  /** Declared by a decorator: it stays as long as the application. */
  readonly isFixed: boolean;
  /** A frozen copy, made when somebody first asks. */
  definition?: ToolDefinition;
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
  private snapshot: readonly Tool[] | undefined;
  private index: ToolSearch | undefined;

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
    return definitionOf(this.keep(this.toolkitBuilder?.complete(tool) ?? tool, false));
  }

  /**
   * Adds the tools of an instance whose class is decorated with `@Toolkit` and `@Tool`: all of
   * them, or none where one is refused.
   *
   * @param instance need not be a provider
   * @returns their definitions, frozen
   * @throws ToolDeclarationError where the class has no tool or declares one wrongly, or a name is taken
   */
  registerToolkit(instance: object): readonly ToolDefinition[] {
    if (this.toolkitBuilder === undefined) {
      throw new AgentError(
        'no_toolkit_builder',
        'This ToolRegistry cannot read decorated instances; use the one that AgentModule provides.',
      );
    }
    const kept: Registration[] = [];
    try {
      for (const tool of this.toolkitBuilder.build(instance)) kept.push(this.keep(tool, false));
    } catch (error) {
      for (const { tool } of kept) this.remove(tool.definition.name);
      throw error;
    }
    return kept.map(definitionOf);
  }

  /**
   * Removes a run-time tool; `false` where there is none of that name. Calls under way go on.
   *
   * @param name the tool's, or that it was registered under
   * @throws AgentError `tool_is_fixed` for a decorated tool
   */
  unregister(name: string): boolean {
    const registration = this.registrationOf(name);
    if (registration === undefined) return false;
    if (registration.isFixed) {
      throw new AgentError(
        'tool_is_fixed',
        `${registration.tool.source} declares the tool "${name}" with a decorator; it cannot be unregistered. Use a group, "visible" or a permission to withhold it.`,
      );
    }
    this.remove(registration.tool.definition.name);
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
    this.keep(tool, true);
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

  private keep(tool: Tool, isFixed: boolean): Registration {
    // What discovery built has schemas that were made here, or were checked where they came in.
    if (isFixed) assertOutline(tool.definition, tool.source);
    else assertDefinition(tool.definition, tool.source);
    const { name } = tool.definition;
    const other = this.registrations.get(name);
    if (other !== undefined) {
      throw new ToolDeclarationError(
        `Two tools have the name "${name}": ${other.tool.source} and ${tool.source}. Rename one with @Tool({ name }), or set a prefix with @Toolkit({ prefix }).`,
      );
    }
    const registration: Registration = { tool, isFixed };
    this.registrations.set(name, registration);
    this.forgetDerived();
    return registration;
  }

  private remove(name: string): void {
    this.registrations.delete(name);
    this.forgetDerived();
  }

  private forgetDerived(): void {
    this.snapshot = undefined;
    this.index = undefined;
  }
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
