import { type Abstract, Inject, Injectable, Optional, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { markOf, paramOptionsOf, type ToolParamOptions } from '../../decorators';
import { type DiscoveredTool, SCAN_OPTIONS, type ScanOptions, ToolScanner } from '../../discovery';
import type { JsonObject } from '../../message';
import {
  BootReport,
  type CallContext,
  subjectOf,
  type Tool,
  ToolDeclarationError,
  type ToolkitOptions,
  type ToolOptions,
  type ToolResponse,
} from '../../tool';
import type { CallOptions } from '../call';
import { ToolCatalog } from '../catalog';
import { PresetRules } from '../provider';
import { ToolCallFactory } from '../tool-call.factory';
import { allOf, named } from './declaration-problems';
import { ToolBuilder } from './tool.builder';

/** A method that another decorator than `@Tool` marks, as a tool that is in no registry. */
export interface MarkedTool<Mark> {
  /** The options of the decorator. */
  readonly mark: Mark;
  readonly tool: Tool;
  /** Class and method. */
  readonly method: DiscoveredTool;
  /** The options of its decorated parameters, by the names of the arguments. */
  readonly params: ReadonlyMap<string, ToolParamOptions>;
}

/** How a decorator's methods become tools. */
export interface MarkedToolsOf<Mark, Made> {
  /** The decorator's metadata key. */
  readonly key: symbol;
  /** The methods in a message: `resources`. */
  readonly noun: string;
  /** @throws ToolDeclarationError if the decorator does not fit the method */
  readonly optionsOf: (
    mark: Mark,
    method: DiscoveredTool,
  ) => ToolOptions & { readonly name: string };
  /** @throws ToolDeclarationError where the tool does not fit the decorator's options */
  readonly make: (marked: MarkedTool<Mark>) => Made;
}

/**
 * Tools for other protocols than the agent's own: found, built, offered and called as the agent's
 * are, but offered to no model.
 */
@Injectable()
export class MarkedTools {
  constructor(
    private readonly scanner: ToolScanner,
    private readonly builder: ToolBuilder,
    private readonly catalog: ToolCatalog,
    private readonly calls: ToolCallFactory,
    private readonly presets: PresetRules,
    private readonly report: BootReport,
    private readonly moduleRef: ModuleRef,
    @Optional() @Inject(SCAN_OPTIONS) private readonly scope: ScanOptions = {},
  ) {}

  /**
   * Finds and builds all tools of a decorator. Asked while modules are initialized; each call scans
   * again.
   *
   * @throws ToolDeclarationError listing every declaration that is wrong
   */
  async load<Mark, Made>(kind: MarkedToolsOf<Mark, Made>): Promise<readonly Made[]> {
    const methods = await this.scanner.marked(kind.key, this.scope);
    const areRoutesServed = this.builder.unavailability(false) === undefined;
    const made: Made[] = [];
    const errors: Error[] = [];
    for (const method of methods) {
      if (method.kind === 'route' && !areRoutesServed) continue;
      try {
        made.push(kind.make(this.build(kind, method)));
      } catch (error) {
        errors.push(named(method, error));
      }
    }
    if (errors.length > 0) throw allOf(errors, kind.noun);
    return made;
  }

  /** Those whose tools this caller is offered. */
  async offered<Made extends { readonly marked: MarkedTool<unknown> }>(
    made: readonly Made[],
    context: CallContext,
  ): Promise<readonly Made[]> {
    const tools = made.map(({ marked }) => marked.tool);
    const offered = new Set(await this.catalog.offeredOf(tools, context));
    return made.filter(({ marked }) => offered.has(marked.tool));
  }

  /** Whether this caller may use the tool, as far as that is known before a call: guards included. */
  async admits(tool: Tool, context: CallContext): Promise<boolean> {
    const guarded: Tool = { ...tool, offer: 'guarded' };
    return (await this.catalog.offeredOf([guarded], context)).length > 0;
  }

  /**
   * Checks and runs a call. One that needs an approval is declined: these protocols cannot ask.
   *
   * @returns the settled response
   */
  async call(tool: Tool, input: JsonObject, options: CallOptions): Promise<ToolResponse> {
    const { name } = tool.definition;
    this.presets.keep(tool);
    const call = await this.calls.create(name, input, { ...options, tools: [tool] });
    switch (call.response.status) {
      case 'pending':
        return call.response.execute();
      case 'awaiting_approval':
        return this.calls.decline(call);
      default:
        return call.response;
    }
  }

  /** A provider of the application. @throws Error if there is none, or one is made per request */
  provider<Provider>(token: Type<Provider> | Abstract<Provider> | string | symbol): Provider {
    return this.moduleRef.get(token, { strict: false });
  }

  private build<Mark, Made>(
    { key, noun, optionsOf }: MarkedToolsOf<Mark, Made>,
    method: DiscoveredTool,
  ): MarkedTool<Mark> {
    const { host, methodName, toolkit, source } = method;
    const mark = markOf<Mark>(key, host, methodName);
    if (mark === undefined) throw new ToolDeclarationError(`${source} has lost its decorator.`);
    const declared: DiscoveredTool = {
      ...method,
      options: optionsOf(mark, method),
      ...(toolkit && { toolkit: sharedBy(toolkit) }),
    };
    const tool = withoutOutput(this.builder.build(declared));
    if (this.catalog.alwaysAsks(tool)) {
      this.report.add(
        subjectOf(tool),
        `It needs an approval, which ${noun} cannot ask for, so every use is refused. Allow it with permissions: { ${tool.definition.name}: 'allow' }.`,
      );
    }
    return { mark, tool, method: declared, params: paramOptionsOf(host, methodName) };
  }
}

/** Names and groups of a toolkit are for the model; its context is for every call. */
function sharedBy({ description, context }: ToolkitOptions): ToolkitOptions {
  return { description, ...(context && { context }) };
}

/** Its protocol publishes no schema of results, so they have nothing to keep to. */
function withoutOutput(tool: Tool): Tool {
  const { name, description, input_schema } = tool.definition;
  return { ...tool, definition: { name, description, input_schema } };
}
