import type { LoggerService } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import {
  AgentModule,
  ToolCallFactory,
  ToolRegistry,
  type AgentModuleOptions,
  type RegisteredTool,
} from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import {
  McpClientModule,
  McpClients,
  type McpClientOptions,
  type McpClientServer,
} from 'nestjs-agent/mcp';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';

type CallOptions = NonNullable<Parameters<ToolCallFactory['create']>[2]>;

/** Keeps what is logged. */
export class KeptLog implements LoggerService {
  readonly lines: string[] = [];

  readonly log = this.keeping('log');
  readonly error = this.keeping('error');
  readonly warn = this.keeping('warn');
  readonly debug = this.keeping('debug');
  readonly verbose = this.keeping('verbose');

  of(level: string): readonly string[] {
    return this.lines.filter((line) => line.startsWith(`${level} `));
  }

  private keeping(level: string) {
    return (...words: unknown[]): void => void this.lines.push(`${level} ${words.join(' ')}`);
  }
}

export interface ClientAppOptions {
  readonly agent?: AgentModuleOptions;
  readonly steps?: readonly ScriptedStep[];
}

/** An application whose agent has the tools of foreign servers. */
export class ClientApp {
  private constructor(
    readonly app: NestExpressApplication,
    readonly model: ScriptedModel,
    readonly log: KeptLog,
  ) {}

  static async start(
    servers: Readonly<Record<string, McpClientServer>>,
    { agent = {}, steps = [] }: ClientAppOptions = {},
  ): Promise<ClientApp> {
    const model = new ScriptedModel(steps);
    const options: McpClientOptions = { servers };
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ ...agent, model }), McpClientModule.forRoot(options)],
    }).compile();
    const log = new KeptLog();
    const app = module.createNestApplication<NestExpressApplication>({ logger: log });
    // A testing module resets the logger to its own.
    app.useLogger(log);
    try {
      await app.init();
    } catch (error) {
      throw Object.assign(error as Error, { log });
    }
    return new ClientApp(app, model, log);
  }

  get clients(): McpClients {
    return this.app.get(McpClients);
  }

  get registry(): ToolRegistry {
    return this.app.get(ToolRegistry);
  }

  names(): readonly string[] {
    return this.registry.list().map(({ name }) => name);
  }

  tool(name: string): RegisteredTool {
    const tool = this.registry.find(name);
    if (tool === undefined) throw new Error(`There is no tool "${name}".`);
    return tool;
  }

  /** Calls a tool whose call its caller has approved. */
  async call(name: string, input: JsonObject = {}, context: CallOptions = {}) {
    const calls = this.app.get(ToolCallFactory);
    const { response } = await calls.create(name, input, { ...context, approved: true });
    return response.status === 'pending' ? response.execute() : response;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** Waits until something is so; fails after 20 s. */
export async function until(isSo: () => boolean, what = String(isSo)): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`It did not come to be: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Closes what a test has opened, the last first. */
export class Opened {
  private readonly open: { close(): Promise<unknown> }[] = [];

  add<Thing extends { close(): Promise<unknown> }>(thing: Thing): Thing {
    this.open.push(thing);
    return thing;
  }

  async close(): Promise<void> {
    for (const thing of this.open.splice(0).reverse()) await thing.close();
  }
}
