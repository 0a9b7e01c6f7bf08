import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  type INestApplication,
  Injectable,
  Module,
  Param,
  UseGuards,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AgentModule, offline, ToolContext, ToolParam } from 'nestjs-agent';
import { McpPrompt, type McpPromptResult, McpResource, McpServerModule } from 'nestjs-agent/mcp';
import { ADAPTERS, BearerGuard } from './http/agent-app';

const SILENT = { logger: false } as const;

@Injectable()
class OnlyAlice implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    if (user?.id === 'alice') return true;
    throw new ForbiddenException('Only for alice.');
  }
}

@Injectable()
class Desk {
  @McpResource({ uri: 'desk://greeting', mimeType: 'text/plain' })
  greeting(ctx: ToolContext): string {
    return `Hello ${ctx.principal ?? 'stranger'}`;
  }

  @McpResource({ uri: 'desk://broken' })
  broken(): string {
    throw new Error('password=hunter2');
  }

  @McpPrompt({ title: 'Write a letter' })
  letter(
    @ToolParam('to') to: string,
    @ToolParam('copies', { default: 1 }) copies: number,
    @ToolParam('tone', { enum: ['formal', 'friendly'], required: false }) tone?: string,
  ): McpPromptResult {
    return [{ role: 'user', content: `Write to ${to}, ${copies + 1} times ${tone ?? ''}` }];
  }
}

@UseGuards(BearerGuard)
@Controller('papers')
class PapersController {
  @UseGuards(OnlyAlice)
  @McpResource({ uri: 'papers://{id}' })
  @Get(':id')
  paper(@Param('id') id: string): object {
    return { id };
  }

  @Get('secret/key')
  secret(): string {
    return 'hunter2';
  }
}

describe.each(ADAPTERS)('resources and prompts over the official client on %s', (adapter) => {
  let app: INestApplication;
  let url: string;
  const clients: Client[] = [];

  beforeAll(async () => {
    @Module({
      imports: [
        AgentModule.forRoot({
          model: offline(),
          tools: { offer: 'guarded', retry: { maxAttempts: 1 } },
        }),
        McpServerModule.forRoot({ decorators: [UseGuards(BearerGuard)] }),
      ],
      providers: [Desk],
      controllers: [PapersController],
    })
    class AppModule {}

    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app =
      adapter === 'fastify'
        ? testing.createNestApplication(new FastifyAdapter({ forceCloseConnections: true }), SILENT)
        : testing.createNestApplication(SILENT);
    await app.listen(0, '127.0.0.1');
    url = `${await app.getUrl()}/mcp`;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });
  afterAll(() => app.close());

  async function as(user: string): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    clients.push(client);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${user}` } },
      }),
    );
    return client;
  }

  it('are capabilities without changes, which clients may keep for a while', async () => {
    const client = await as('alice');
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: {},
      prompts: {},
      completions: {},
    });
    const kept = { ttlMs: 60_000, cacheScope: 'private' };
    expect(await client.listResources()).toMatchObject(kept);
    expect(await client.listPrompts()).toMatchObject(kept);
    const uri = 'desk://greeting';
    expect(await client.readResource({ uri })).toMatchObject({ ...kept, ttlMs: 0 });
  });

  it('lists and reads for the caller', async () => {
    const client = await as('alice');
    expect((await client.listResources()).resources).toContainEqual({
      uri: 'desk://greeting',
      name: 'greeting',
      mimeType: 'text/plain',
    });
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      { uriTemplate: 'papers://{id}', name: 'papers_paper' },
    ]);
    expect((await client.readResource({ uri: 'desk://greeting' })).contents).toEqual([
      { uri: 'desk://greeting', mimeType: 'text/plain', text: 'Hello alice' },
    ]);
    expect((await client.readResource({ uri: 'papers://7' })).contents).toEqual([
      { uri: 'papers://7', mimeType: 'application/json', text: '{"id":"7"}' },
    ]);
  });

  it('lists no template and reads none whose guard refuses the caller', async () => {
    const client = await as('mallory');
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
    await expect(client.readResource({ uri: 'papers://7' })).rejects.toThrow('Permission denied');
  });

  it('reaches no other route by a value, and tells no secret of a failure', async () => {
    const client = await as('alice');
    for (const uri of ['papers://secret%2Fkey', 'papers://secret/key', 'papers://..%2Fmcp']) {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
    }
    const failure: unknown = await client
      .readResource({ uri: 'desk://broken' })
      .catch((error: unknown) => error);
    expect(String(failure)).toContain('unexpected error');
    expect(JSON.stringify(failure) + String(failure)).not.toContain('hunter2');
  });

  it('fills in prompts and completes their arguments', async () => {
    const client = await as('alice');
    expect((await client.listPrompts()).prompts).toEqual([
      expect.objectContaining({ name: 'letter', title: 'Write a letter' }),
    ]);
    const args = { to: 'Ada', copies: '2' };
    expect((await client.getPrompt({ name: 'letter', arguments: args })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write to Ada, 3 times ' } },
    ]);
    await expect(client.getPrompt({ name: 'letter', arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'letter' },
      argument: { name: 'tone', value: 'fr' },
    });
    expect(completion.values).toEqual(['friendly']);
  });
});
