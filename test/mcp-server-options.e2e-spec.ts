import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Logger,
  Module,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, defineTool, InvalidOptionsError, ToolRegistry } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ADAPTERS, LoginGuard } from './http/agent-app';
import { type Answer, answerOf } from './mcp/server/rpc-client';
import { type ServerApp, serverApp, serverApps } from './mcp/server/server-app';

const AUTH = { resource: 'https://a.example/mcp', authorizationServers: ['https://b.example'] };

describe('the options of McpServerModule', () => {
  it.each<[object, string]>([
    [{ pathh: 'mcp' }, 'options.pathh is no option; did you mean path?'],
    [{ path: false }, 'options.path must be a path'],
    [{ approvals: 'ask' }, 'options.approvals must be'],
    [{ approvals: { 'delete_*': 'never' } }, 'options.approvals.delete_*'],
    [{ tools: { include: 'orders' } }, 'options.tools.include must be a list'],
    [{ limits: { streams: 0 } }, 'options.limits.streams must be'],
    [{ secret: 'short' }, 'options.secret must be a text of at least 16 characters'],
    [{ decorators: [LoginGuard] }, 'options.decorators[0] must be a decorator'],
    [{ auth: { ...AUTH, resource: '/mcp' } }, 'options.auth.resource must be an absolute URL'],
    [{ auth: { ...AUTH, authorizationServers: [] } }, 'needs at least one entry'],
    [{ allowedOrigins: ['null'] }, 'options.allowedOrigins[0] must be an origin'],
    [{ auth: { resource: AUTH.resource } }, 'needs resource and authorizationServers'],
  ])('%j are refused in words', (options, words) => {
    expect(() => McpServerModule.forRoot(options)).toThrow(InvalidOptionsError);
    expect(() => McpServerModule.forRoot(options)).toThrow(words);
  });

  it('of a factory are checked at boot', async () => {
    const boot = (returned: object): Promise<unknown> =>
      Test.createTestingModule({
        imports: [
          AgentModule.forRoot({ path: false }),
          McpServerModule.forRootAsync({ useFactory: () => returned }),
        ],
      })
        .setLogger(false as never)
        .compile();

    await expect(boot({ names: 'x' })).rejects.toThrow('did you mean name?');
    await expect(boot({ path: 'x' })).rejects.toThrow('path belongs beside useFactory');
    expect(() => McpServerModule.forRootAsync({} as never)).toThrow('needs useFactory');
  });

  it('of a factory serve', async () => {
    @Module({
      imports: [
        AgentModule.forRoot({ path: false }),
        McpServerModule.forRootAsync({
          path: 'tools/mcp',
          decorators: [UseGuards(LoginGuard)],
          useFactory: () => Promise.resolve({ name: 'made' }),
        }),
      ],
    })
    class MadeModule {}
    const module = await Test.createTestingModule({ imports: [MadeModule] }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/tools/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
    });
    expect(await response.json()).toMatchObject({ result: { serverInfo: { name: 'made' } } });
    await app.close();
  });

  it.each(ADAPTERS)('that give two servers one path stop the boot on %s', async (adapter) => {
    const booting = serverApp({ adapter, more: [{ name: 'other', path: '/mcp/' }] });

    await expect(booting).rejects.toThrow('two servers have the path "mcp"');
  });

  it('with which an approval could serve twice are warned of', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const secret = 'the secret of the whole fleet';
    const { app } = await serverApp({ server: { secret } });
    const { app: own } = await serverApp();
    const lines = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    await Promise.all([app.close(), own.close()]);

    expect(lines.filter((line) => line.includes('"secret" of the MCP endpoint /mcp'))).toEqual([
      expect.stringContaining('an approval could count once more'),
    ]);
  });

  it('that leave the server open or name unknown groups are warned of', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { app } = await serverApp({
      server: {
        decorators: [],
        tools: { groups: ['nowhere'], include: ['get_*', 'orders_*'] },
        auth: AUTH,
      },
      agent: { dispatch: { baseUrl: 'https://elsewhere.example' } },
    });
    const lines = warn.mock.calls.map(([line]) => String(line));
    warn.mockClear();
    const { app: same } = await serverApp({
      server: { auth: AUTH },
      agent: { dispatch: { baseUrl: 'https://a.example/internal' } },
    });
    const others = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    await Promise.all([app.close(), same.close()]);
    expect(others.join()).not.toContain("the caller's token");

    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringContaining('No guard checks who calls the MCP endpoint /mcp'),
        expect.stringContaining('not declared: nowhere'),
        expect.stringContaining('match no tool at boot: orders_*.'),
        expect.stringContaining("send the caller's token to https://elsewhere.example"),
      ]),
    );
  });
});

@Injectable()
class Turnstile {
  isOpen = false;
}

@Module({ providers: [Turnstile], exports: [Turnstile] })
class TurnstileModule {}

@Injectable()
class TurnstileGuard implements CanActivate {
  constructor(private readonly turnstile: Turnstile) {}

  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<{ user?: object }>().user = { id: 'alice' };
    return this.turnstile.isOpen;
  }
}

describe.each(ADAPTERS)('a server with options on %s', (adapter) => {
  const started = serverApps();
  const failed = ({ status, error }: Answer): readonly unknown[] => [status, error?.code];
  const namesOf = async ({ client }: ServerApp): Promise<readonly string[]> => {
    const { result } = await client.modern('tools/list');
    return (result?.['tools'] as { readonly name: string }[]).map(({ name }) => name);
  };

  it('has guards that inject what "imports" exports', async () => {
    const served = await started({
      adapter,
      server: { imports: [TurnstileModule], decorators: [UseGuards(TurnstileGuard)] },
    });
    expect((await served.client.modern('tools/list')).status).toBe(403);
    served.app.get(Turnstile).isOpen = true;
    expect((await served.client.modern('tools/list')).status).toBe(200);
  });

  it('is named after its agent without a name', async () => {
    const { client } = await started({ adapter, agent: { name: 'clerk' } });
    const { result } = await client.legacy('initialize');
    expect(result?.['serverInfo']).toEqual({ name: 'clerk', version: '0.0.0' });
  });

  it('lets pages of its resource in, and of the loopback, where no origin is listed', async () => {
    const { client } = await started({ adapter, server: { auth: AUTH } });
    const from = async (origin: string) =>
      (await client.modern('tools/list', {}, { headers: { origin } })).status;
    expect(await from('https://a.example')).toBe(200);
    expect(await from('http://localhost:1')).toBe(200);
    expect(await from('https://b.example')).toBe(403);
  });

  it('lets only the listed pages in, also those of extensions and desktop programs', async () => {
    const allowedOrigins = ['https://c.example/', 'chrome-extension://abc', 'app://obsidian.md'];
    const { client } = await started({ adapter, server: { allowedOrigins } });
    const from = async (origin: string) =>
      (await client.modern('tools/list', {}, { headers: { origin } })).status;
    expect(await from('https://c.example')).toBe(200);
    expect(await from('chrome-extension://abc')).toBe(200);
    expect(await from('app://obsidian.md')).toBe(200);
    for (const other of ['http://localhost:1', 'chrome-extension://abd', 'null']) {
      expect(await from(other)).toBe(403);
    }
  });

  it('serves tools of foreign servers only with "foreign"', async () => {
    const foreign = { name: 'elsewhere', description: 'Elsewhere', execute: () => 'there' };
    const call = { name: 'elsewhere', arguments: {} };
    for (const isServed of [false, true]) {
      const served = await started({ adapter, server: { tools: { foreign: isServed } } });
      served.app.get(ToolRegistry).register({ ...defineTool(foreign), isForeign: true });
      expect((await namesOf(served)).includes('elsewhere')).toBe(isServed);
      const { error } = await served.client.modern('tools/call', call);
      expect(error?.code).toBe(isServed ? undefined : -32_602);
    }
  });

  it('tells clients how long they may keep lists', async () => {
    const { client } = await started({ adapter, server: { ttlMs: 5 } });
    for (const method of [
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'prompts/list',
    ]) {
      const { result } = await client.modern(method);
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: 5, cacheScope: 'private' });
    }
  });

  it('takes bodies of up to "bodyBytes"', async () => {
    const { client } = await started({ adapter, server: { limits: { bodyBytes: 2_000 } } });
    const add = (bytes: number) =>
      client.modern('tools/call', { name: 'add', arguments: { a: 1, b: 'x'.repeat(bytes) } });
    expect((await add(1_000)).status).toBe(200);
    expect(failed(await add(2_000))).toEqual([413, -32_600]);
  });

  it('bounds the streams of all principals, and gives places back', async () => {
    const { client } = await started({ adapter, server: { limits: { streams: 2 } } });
    // Otherwise fetch() may open a connection that it never uses, which keeps the server open.
    const headers = { 'content-type': undefined, connection: 'close' };
    const listen = (user: string, signal?: AbortSignal) =>
      client.send(undefined, { user, headers, ...(signal && { signal }) }, 'GET');
    const leaving = new AbortController();
    expect((await listen('alice', leaving.signal)).status).toBe(200);
    expect((await listen('bob')).status).toBe(200);
    expect(failed(await answerOf(await listen('carol')))).toEqual([429, -32_603]);
    leaving.abort();
    while ((await listen('carol')).status !== 200);
  });

  it('lists no built-in tools, and runs none', async () => {
    const served = await started({
      adapter,
      agent: {
        groups: [{ name: 'extras', description: 'More', active: false, selectable: true }],
        tools: { details: 'onDemand' },
        builtins: { diagnostics: true },
      },
    });
    const builtIn = /^(reset_equipped_tools|search_tools|tool_detail|.*diagnos.*)$/;
    const names = await namesOf(served);
    expect(names).toContain('add');
    expect(names.filter((name) => builtIn.test(name))).toEqual([]);
    const call = { name: 'reset_equipped_tools', arguments: { to_activate: ['extras'] } };
    expect((await served.client.modern('tools/call', call)).error?.code).toBe(-32_602);
  });
});
