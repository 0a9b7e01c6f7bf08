import { randomUUID } from 'node:crypto';
import type { DynamicModule, INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { isObservable, type Observable } from 'rxjs';
import {
  AgentModule,
  type AgentOptions,
  type AgentRun,
  type RegisteredTool,
  type ToolCall,
  type ToolContext,
  ToolRegistry,
} from 'nestjs-agent';
import type { JsonObject, JsonValue } from 'nestjs-agent/types';
import { ScriptedModel } from 'nestjs-agent/testing';

type ToolInvocation = Parameters<RegisteredTool['invoke']>[0];
type CallContext = ToolInvocation['callContext'];

export interface ToolModuleOptions {
  readonly presets?: AgentOptions['presets'];
  readonly context?: readonly object[];
  readonly groups?: readonly string[];
  readonly scan?: AgentOptions['scan'];
  readonly exposed?: AgentOptions['exposeControllers'];
  readonly metadata?: AgentOptions['metadata'];
}

/** The agent's module without endpoints, for tests that look at its tools alone. */
export function toolModule(options: ToolModuleOptions = {}): DynamicModule {
  const { presets, context, groups, scan, exposed, metadata } = options;
  return AgentModule.forRoot({
    model: new ScriptedModel([]),
    path: false,
    ...(presets && { presets }),
    ...(metadata && { metadata }),
    ...(context && { context: [...context] }),
    ...(groups && { validation: { groups: [...groups] } }),
    ...(scan && { scan }),
    ...(exposed && { exposeControllers: [...exposed] }),
  });
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

  tool(name: string): RegisteredTool {
    const tool = this.registry.find(name);
    if (tool === undefined) throw new Error(`There is no tool "${name}".`);
    return tool;
  }

  /** Binds and invokes, and resolves with the last value. */
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

  private invocation(tool: RegisteredTool, args: unknown, options: CallOptions): ToolInvocation {
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

export function callOf(tool: RegisteredTool): ToolCall {
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
