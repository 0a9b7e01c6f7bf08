import { Inject, Injectable, Logger, Optional, type OnApplicationBootstrap } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { JsonObject } from '../message';
import { AgentError, type Tool, type ToolDefinition } from '../tool';
import { definitionOf, Registrations, type RegistryChange } from './registrations';
import {
  type DescribedTool,
  type FunctionToolOptions,
  type InputOf,
  type RuntimeToolkit,
  type ToolHandler,
  toolOf,
  type ToolSchema,
  toolsOfToolkit,
} from './runtime-tools';
import { TOOL_GROUPS, type ToolGroup, ToolGroups } from './tool-groups';
import { TOOLKIT_BUILDER, type ToolkitBuilder } from './toolkit-builder';

/**
 * All tools of the application, by name: decorated tools from boot on, and run-time tools that may
 * be added and removed.
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
  private readonly registrations = new Registrations();
  private readonly toolGroups = new ToolGroups();

  /** Later changes of the tools, not of the groups: one value per change. */
  readonly changes: Observable<RegistryChange> = this.registrations.changes;

  /** @internal */
  constructor(
    @Optional() @Inject(TOOLKIT_BUILDER) private readonly toolkitBuilder?: ToolkitBuilder,
    @Optional() @Inject(TOOL_GROUPS) groups: readonly ToolGroup[] = [],
  ) {
    for (const group of groups) this.toolGroups.create(group);
  }

  /** Called by Nest. */
  onApplicationBootstrap(): void {
    for (const { source, group } of this.tools()) {
      if (group === undefined || this.toolGroups.has(group)) continue;
      this.logger.warn(
        `${source} is in the tool group "${group}", which is not declared, so it is never offered. Add the group to the module's "groups", or call ToolRegistry.createGroup().`,
      );
    }
  }

  /** Every tool's definition, frozen, in order of registration. */
  list(): readonly ToolDefinition[] {
    return this.registrations.definitions();
  }

  /**
   * A tool's frozen definition; `undefined` for an unknown name.
   *
   * @param name the tool's name; for a run-time tool, also its original name
   */
  get(name: string): ToolDefinition | undefined {
    const registration = this.registrations.find(name);
    return registration && definitionOf(registration);
  }

  /**
   * Searches definitions by words, the best match first.
   *
   * @param query words to find in names, descriptions, parameters, groups and toolkits
   */
  search(query: string): readonly ToolDefinition[] {
    return this.registrations.search(query);
  }

  /**
   * Adds a tool at run time, with the same checks as a decorated one. A name that providers do not
   * accept is mapped; both names find the tool.
   *
   * @param tool made by `defineTool`
   * @returns its frozen definition
   * @throws ToolDeclarationError with all problems, or with the tool that has the name
   */
  register(tool: Tool): ToolDefinition;
  /**
   * Adds a tool at run time from a definition and a function.
   *
   * @typeParam Input the type of the arguments that the schema accepts; the handler's first
   * parameter. It is not checked against the schema
   * @param definition name, description and schemas, as the model reads them
   * @param handler the tool's function
   * @param options none by default
   * @returns its frozen definition
   * @throws ToolDeclarationError with all problems, or with the tool that has the name
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
   * @param handler the tool's function
   * @param options none by default
   * @returns its frozen definition
   * @throws ToolDeclarationError with all problems, or with the tool that has the name
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
    return this.registrations.put(this.completed(toolOf(subject, handler, options)));
  }

  /**
   * Replaces a run-time tool of the same name. Active calls keep the old one.
   *
   * @param tool made by `defineTool`
   * @returns its frozen definition
   * @throws AgentError `tool_not_found` for an unknown name, `tool_is_fixed` for a decorated tool
   */
  replace(tool: Tool): ToolDefinition {
    const other = this.registrations.removable(tool.definition.name);
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
    return this.registrations.put(successor, other);
  }

  /**
   * Adds the tools of an instance whose class is decorated with `@Toolkit` and `@Tool`: all of
   * them, or none if one is refused.
   *
   * @param instance need not be a provider; its toolkit has the name of its class
   * @returns their frozen definitions
   * @throws ToolDeclarationError if the class has no tool or a wrong declaration, or its own name or
   * that of a tool is taken
   */
  registerToolkit(instance: object): readonly ToolDefinition[];
  /**
   * Adds a toolkit of run-time tools: all of them, or none if one is refused.
   *
   * @param toolkit its name, its tools, and their common options
   * @returns their frozen definitions
   * @throws ToolDeclarationError if the toolkit's or a tool's name is taken
   */
  registerToolkit(toolkit: RuntimeToolkit): readonly ToolDefinition[];
  registerToolkit(subject: object): readonly ToolDefinition[] {
    if (!isPlain(subject)) {
      const { name } = subject.constructor;
      this.registrations.assertNewInstance(name);
      return this.registrations.putToolkit(name, this.decoratedTools(subject));
    }
    const tools = this.completedTools(subject);
    this.registrations.assertNewToolkit(subject.name);
    return this.registrations.putToolkit(subject.name, tools);
  }

  /**
   * Replaces a toolkit of the same name atomically: tools of the same name are replaced, others are
   * added or removed. Active calls keep the old tools.
   *
   * @param toolkit with all its tools
   * @returns their frozen definitions
   * @throws AgentError `toolkit_not_found` for an unknown run-time toolkit
   * @throws ToolDeclarationError if a name is taken or an option is wrong; nothing changes then
   */
  replaceToolkit(toolkit: RuntimeToolkit): readonly ToolDefinition[] {
    if (!this.registrations.hasToolkit(toolkit.name)) {
      throw new AgentError(
        'toolkit_not_found',
        `There is no toolkit "${toolkit.name}" to replace. Use registerToolkit().`,
      );
    }
    return this.registrations.putToolkit(toolkit.name, this.completedTools(toolkit));
  }

  /**
   * Removes a run-time toolkit with all its tools; `false` for an unknown name. Active calls
   * continue.
   *
   * @param name the toolkit's name; for an instance, its class's name
   */
  unregisterToolkit(name: string): boolean {
    return this.registrations.removeToolkit(name);
  }

  /**
   * Removes a run-time tool; `false` for an unknown name. Active calls continue.
   *
   * @param name the tool's name, or its original name
   * @throws AgentError `tool_is_fixed` for a decorated tool
   */
  unregister(name: string): boolean {
    const registration = this.registrations.removable(name);
    if (registration === undefined) return false;
    this.registrations.change([registration], []);
    return true;
  }

  /**
   * Adds a group of tools.
   *
   * @param group tools name it by its `name`, before or after
   * @returns the group, frozen
   * @throws ToolDeclarationError if the name is taken or the group is incomplete
   */
  createGroup(group: ToolGroup): ToolGroup {
    return this.toolGroups.create(group);
  }

  /**
   * Changes a group's description, or its state in new sessions.
   *
   * @param name the group's
   * @param patch the fields to change
   * @returns the group, frozen
   * @throws AgentError `group_not_found` for an unknown group
   * @throws ToolDeclarationError if the group would be incomplete
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
    this.registrations.change([], [{ tool, isFixed: true }]);
  }

  /** A tool by either of its names. @internal */
  find(name: string): Tool | undefined {
    return this.registrations.find(name)?.tool;
  }

  /** All tools; the same array until they change. @internal */
  tools(): readonly Tool[] {
    return this.registrations.tools();
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
}

/** Not an instance of a class, which may be decorated. */
function isPlain(subject: object): subject is RuntimeToolkit {
  const prototype: unknown = Object.getPrototypeOf(subject);
  return prototype === Object.prototype || prototype === null;
}
