import { randomUUID } from 'node:crypto';
import { Module, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { isObservable, type Observable } from 'rxjs';
import {
  type ControllerExposure,
  DISCOVERY_PROVIDERS,
  EXPOSED_CONTROLLERS,
  SCAN_OPTIONS,
  type ScanOptions,
  ToolScanner,
} from '../../libs/agent/src/discovery';
import {
  CONTEXT_INSTANCES,
  GuardProbe,
  PRESETS,
  PresetRules,
  type Presets,
  ProviderInvoker,
  ProviderToolkitBuilder,
  ToolLoader,
  VALIDATION_OPTIONS,
} from '../../libs/agent/src/invocation';
import { RouteInvoker } from '../../libs/agent/src/invocation/route';
import type { JsonObject, JsonValue } from '../../libs/agent/src/message';
import { TOOLKIT_BUILDER, ToolRegistry } from '../../libs/agent/src/registry';
import type {
  AgentRun,
  CallContext,
  Tool,
  ToolCall,
  ToolContext,
  ToolInvocation,
} from '../../libs/agent/src/tool';

export interface ToolModuleOptions {
  readonly presets?: Presets;
  readonly context?: readonly object[];
  readonly groups?: readonly string[];
  readonly scan?: ScanOptions;
  readonly exposed?: readonly ControllerExposure[];
}

/** Discovery and invocation alone, as the agent's module wires them: no model, no session. */
export function toolModule(options: ToolModuleOptions = {}) {
  @Module({
    providers: [
      ...DISCOVERY_PROVIDERS,
      RouteInvoker,
      GuardProbe,
      PresetRules,
      ProviderInvoker,
      ProviderToolkitBuilder,
      { provide: TOOLKIT_BUILDER, useExisting: ProviderToolkitBuilder },
      ToolRegistry,
      ToolLoader,
      { provide: PRESETS, useValue: options.presets ?? {} },
      { provide: CONTEXT_INSTANCES, useValue: options.context ?? [] },
      { provide: VALIDATION_OPTIONS, useValue: { groups: options.groups } },
      { provide: SCAN_OPTIONS, useValue: options.scan ?? {} },
      { provide: EXPOSED_CONTROLLERS, useValue: options.exposed ?? [] },
    ],
    exports: [ToolRegistry, ToolLoader, ToolScanner],
  })
  class ToolTestModule {}
  return ToolTestModule;
}

export interface CallOptions {
  readonly request?: unknown;
  readonly context?: readonly object[];
  readonly run?: AgentRun;
  readonly signal?: AbortSignal;
  readonly call?: ToolCall;
  readonly attempt?: number;
}

/** An application of which only the tools are looked at. */
export class ToolApplication {
  readonly progress: JsonValue[] = [];

  private constructor(readonly app: INestApplication) {}

  static async boot(
    metadata: ModuleMetadata,
    options: ToolModuleOptions = {},
    configure: (app: INestApplication) => void = () => undefined,
  ): Promise<ToolApplication> {
    const module = await Test.createTestingModule({
      ...metadata,
      imports: [...(metadata.imports ?? []), toolModule(options)],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    configure(app);
    await app.init();
    return new ToolApplication(app);
  }

  get registry(): ToolRegistry {
    return this.app.get(ToolRegistry, { strict: false });
  }

  get names(): readonly string[] {
    return this.registry.tools().map(({ definition }) => definition.name);
  }

  tool(name: string): Tool {
    const tool = this.registry.find(name);
    if (tool === undefined) throw new Error(`There is no tool "${name}".`);
    return tool;
  }

  /** Binds and invokes, and waits for the last value of what comes. */
  async call(name: string, input: JsonObject = {}, options: CallOptions = {}): Promise<unknown> {
    return lastOf(await this.outcome(name, input, options));
  }

  /** Binds and invokes; an Observable stays one. */
  async outcome(name: string, input: JsonObject = {}, options: CallOptions = {}): Promise<unknown> {
    const tool = this.tool(name);
    return tool.invoke(this.invocation(tool, await tool.bind(input), options));
  }

  async authorize(name: string, options: CallOptions = {}): Promise<void> {
    const tool = this.tool(name);
    await tool.authorize?.(this.invocation(tool, new Map(), options));
  }

  close(): Promise<void> {
    return this.app.close();
  }

  private invocation(tool: Tool, args: unknown, options: CallOptions): ToolInvocation {
    const callContext: CallContext = {
      ...(options.context && { context: options.context }),
      ...(options.run && { run: options.run }),
    };
    const context: ToolContext = {
      call: options.call ?? callOf(tool),
      request: options.request,
      signal: options.signal ?? new AbortController().signal,
      emit: (data) => void this.progress.push(data),
    };
    return {
      args,
      context,
      callContext,
      attempt: options.attempt ?? 1,
      idempotencyKey: randomUUID(),
    };
  }
}

export function callOf(tool: Tool): ToolCall {
  return { id: randomUUID(), name: tool.definition.name, input: {}, tool } as unknown as ToolCall;
}

async function lastOf(outcome: unknown): Promise<unknown> {
  return isObservable(outcome) ? (await valuesOf(outcome)).at(-1) : outcome;
}

export function valuesOf(stream: Observable<unknown>): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const values: unknown[] = [];
    stream.subscribe({
      next: (value) => void values.push(value),
      error: reject,
      complete: () => resolve(values),
    });
  });
}
