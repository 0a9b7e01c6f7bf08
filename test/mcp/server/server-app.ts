import type { Server } from 'node:http';
import {
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Req,
  UseGuards,
  type INestApplication,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { IsInt, Max, Min } from 'class-validator';
import {
  AgentModule,
  Tool,
  Toolkit,
  ToolContext,
  ToolParam,
  ToolResult,
  type AgentModuleOptions,
  type AuditRecord,
  memoryStore,
} from 'nestjs-agent';
import { McpServerModule, type McpServerModuleOptions } from 'nestjs-agent/mcp';
import { ScriptedModel } from 'nestjs-agent/testing';
import { LoginGuard, type AdapterName } from '../../http/agent-app';
import { RpcClient } from './rpc-client';

class Order {
  @IsInt()
  id!: number;
  owner!: string;
}

class Sum {
  @IsInt()
  sum!: number;
}

class AmountDto {
  @IsInt()
  @Min(1)
  @Max(99)
  amount!: number;
}

/** What ran, and for whom: a test looks here for what must not have happened. */
export class Journal {
  readonly lines: string[] = [];
  readonly aborted: string[] = [];
}

type UserRequest = { readonly user: { readonly id: string } };

@Controller('orders')
@UseGuards(LoginGuard)
class OrdersController {
  constructor(private readonly journal: Journal) {}

  @Tool({ description: 'Look an order up', name: 'get_order' })
  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number, @Req() { user }: UserRequest): Order {
    if (id > 100) throw new NotFoundException('There is no such order.');
    return { id, owner: user.id };
  }

  @Tool({ description: 'Change an amount', name: 'change_amount', permission: 'allow' })
  @Patch(':id')
  change(@Param('id', ParseIntPipe) id: number, @Body() { amount }: AmountDto): object {
    this.journal.lines.push(`change ${id} to ${amount}`);
    return { id, amount };
  }

  @Tool({ description: 'Place an order', name: 'place_order', permission: 'ask' })
  @Post()
  place(@Body() { amount }: AmountDto, @Req() { user }: UserRequest): object {
    this.journal.lines.push(`${user.id} placed ${amount}`);
    return { placed: amount };
  }

  @Tool({ description: 'Delete an order', name: 'delete_order' })
  @Delete(':id')
  remove(@Param('id', ParseIntPipe) id: number, @Req() { user }: UserRequest): object {
    this.journal.lines.push(`${user.id} deleted ${id}`);
    return { deleted: id };
  }
}

@Toolkit({ description: 'Odds and ends', instructions: 'Count from one.' })
@Injectable()
class OddTools {
  constructor(private readonly journal: Journal) {}

  @Tool({ description: 'Add', readOnly: true, title: 'Sum of two' })
  add(@ToolParam('a') a: number, @ToolParam('b') b: number): number {
    return a + b;
  }

  @Tool({ description: 'Add, with structure', readOnly: true, output: Sum })
  structured(@ToolParam('a') a: number, @ToolParam('b') b: number): Sum {
    return { sum: a + b };
  }

  @Tool({ description: 'Long', readOnly: true, output: Sum, maxResultChars: 100 })
  long(@ToolParam('bytes') bytes: number): object {
    return { sum: 1, filler: 'x'.repeat(bytes) };
  }

  @Tool({ description: 'Fail', readOnly: true })
  fail(): never {
    throw new Error('secret of the database');
  }

  @Tool({ description: 'Everything that a result can hold', readOnly: true })
  mixed(): ToolResult {
    const data = Buffer.from('bytes').toString('base64');
    return new ToolResult([
      { type: 'text', text: 'words' },
      { type: 'image', mediaType: 'image/png', data },
      { type: 'file', mediaType: 'audio/wav', data },
      { type: 'file', name: 'a b.pdf', mediaType: 'application/pdf', data },
      { type: 'image', url: 'https://pictures.example/1.png' },
    ]);
  }

  @Tool({ description: 'Tell of progress', readOnly: true })
  progress(@ToolParam('count') count: number, ctx: ToolContext): string {
    ctx.emit({ progress: 0, total: count, message: 'begin' });
    for (let step = 1; step <= count; step += 1) ctx.emit({ progress: step, total: count });
    ctx.emit({ progress: 1 });
    return 'done';
  }

  @Tool({ description: 'Wait until it is cancelled', readOnly: true, timeoutMs: 60_000 })
  wait(@ToolParam('name') name: string, ctx: ToolContext): Promise<string> {
    this.journal.lines.push(`waiting ${name}`);
    return new Promise((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        this.journal.aborted.push(name);
        resolve('gone');
      });
    });
  }

  @Tool({ description: 'Of alice alone', visible: ({ principal }) => principal === 'alice' })
  alice_only(): string {
    return 'hello alice';
  }

  @Tool({ description: 'Never', permission: 'deny' })
  never(): string {
    return 'no';
  }

  @Tool({ description: 'In a group', group: 'extras', readOnly: true })
  grouped(): string {
    return 'grouped';
  }

  @Tool({ description: 'Take a secret', permission: 'ask' })
  keep_secret(
    @ToolParam('secret', { sensitive: true }) secret: string,
    @ToolParam('note') note: string,
  ): string {
    this.journal.lines.push(`kept ${secret} ${note}`);
    return 'kept';
  }
}

export interface ServerAppOptions {
  readonly adapter?: AdapterName;
  readonly server?: McpServerModuleOptions;
  readonly more?: readonly McpServerModuleOptions[];
  readonly agent?: AgentModuleOptions;
  readonly prepare?: (app: INestApplication) => unknown;
}

export interface ServerApp {
  readonly app: INestApplication;
  readonly url: string;
  readonly client: RpcClient;
  readonly journal: Journal;
  readonly audit: AuditRecord[];
}

/** An application with an MCP server behind a log-in, listening on a free port. */
export async function serverApp({
  adapter = 'express',
  server = {},
  more = [],
  agent = {},
  prepare,
}: ServerAppOptions = {}): Promise<ServerApp> {
  const audit: AuditRecord[] = [];
  const decorators = [UseGuards(LoginGuard)];
  @Module({
    imports: [
      AgentModule.forRoot({
        path: false,
        model: new ScriptedModel([]),
        sessions: { store: memoryStore() },
        audit: { record: (record) => void audit.push(record) },
        groups: [{ name: 'extras', description: 'More', active: false }],
        ...agent,
      }),
      McpServerModule.forRoot({ decorators, ...server }),
      ...more.map((options) => McpServerModule.forRoot({ decorators, ...options })),
    ],
    controllers: [OrdersController],
    providers: [OddTools, Journal],
  })
  class ServedModule {}
  const module = await Test.createTestingModule({ imports: [ServedModule] }).compile();
  const app = module.createNestApplication(
    ...((adapter === 'fastify' ? [new FastifyAdapter()] : []) as []),
    { logger: false, forceCloseConnections: false },
  );
  await prepare?.(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const path = server.path ?? 'mcp';
  return { app, url, client: new RpcClient(`${url}/${path}`), journal: app.get(Journal), audit };
}

/** Opens applications that are closed after each test. */
export function serverApps(): typeof serverApp {
  const apps: ServerApp[] = [];
  afterEach(async () => {
    await Promise.all(apps.splice(0).map(({ app }) => closed(app)));
  });
  return async (options) => {
    const served = await serverApp(options);
    apps.push(served);
    return served;
  };
}

/**
 * Closes an application with all its connections: after a call is aborted, fetch opens one more without
 * a request, and a closing server waits for it.
 */
async function closed(app: INestApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  server.on('connection', (socket) => socket.destroy());
  server.closeAllConnections();
  await app.close();
}

/** Waits for something that the server does on its own, turn by turn. */
export async function waitFor(isThere: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isThere())) await new Promise((resolve) => setImmediate(resolve));
}
