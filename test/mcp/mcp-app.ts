import { Module, UseGuards, type INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AgentModule } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';
import { LoginGuard, type AdapterName } from '../http/agent-app';
import { OrdersController, ShopOffers, ShopTools, Work } from './shop';

type ServerOptions = Parameters<typeof McpServerModule.forRoot>[0];

export interface McpAppOptions {
  readonly adapter: AdapterName;
  readonly server?: ServerOptions;
  /** Chosen by the system by default. */
  readonly port?: number;
  readonly prepare?: (app: INestApplication) => unknown;
  /**
   * Whether closing ends connections that are still open; `true` by default. After an abort, Node's
   * `fetch` keeps a connection open that it never uses, and Node would wait a minute for it.
   */
  readonly forceCloseConnections?: boolean;
}

export interface McpApp {
  readonly app: INestApplication;
  /** The application's address. */
  readonly url: string;
  /** The address of its MCP endpoint, unless a global prefix precedes it. */
  readonly mcp: string;
  readonly port: number;
  readonly work: Work;
}

/** A shop with an MCP server behind a log-in, listening on a port. */
export async function mcpApp(options: McpAppOptions): Promise<McpApp> {
  const { adapter, server = {}, port = 0, prepare, forceCloseConnections = true } = options;

  @Module({
    imports: [
      AgentModule.forRoot({
        model: new ScriptedModel([]),
        path: false,
        audit: { record: () => undefined },
      }),
      McpServerModule.forRoot({
        name: 'shop',
        version: '1.2.3',
        decorators: [UseGuards(LoginGuard)],
        ...server,
      }),
    ],
    controllers: [OrdersController],
    providers: [Work, ShopTools, ShopOffers],
  })
  class ShopModule {}

  const module = await Test.createTestingModule({ imports: [ShopModule] }).compile();
  const app =
    adapter === 'fastify'
      ? module.createNestApplication(new FastifyAdapter({ forceCloseConnections }), {
          logger: false,
        })
      : module.createNestApplication({ logger: false, forceCloseConnections });
  await prepare?.(app);
  await app.listen(port, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, mcp: `${url}/mcp`, port: Number(new URL(url).port), work: app.get(Work) };
}

/** Closes applications and clients that a test opened, also if the test failed. */
export class McpClosers {
  private readonly open: { close(): Promise<unknown> }[] = [];

  async app(options: McpAppOptions): Promise<McpApp> {
    const opened = await mcpApp(options);
    this.open.push(opened.app);
    return opened;
  }

  async client<Opened extends { close(): Promise<unknown> }>(
    connecting: Promise<Opened>,
  ): Promise<Opened> {
    const client = await connecting;
    this.open.push(client);
    return client;
  }

  /** Clients first: the last that was opened is the first to close. */
  async close(): Promise<void> {
    for (const each of this.open.splice(0).reverse()) await each.close();
  }
}
