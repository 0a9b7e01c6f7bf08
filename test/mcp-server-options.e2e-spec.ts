import { Logger, Module, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, InvalidOptionsError } from 'nestjs-agent';
import { McpServerModule } from 'nestjs-agent/mcp';
import { ADAPTERS, LoginGuard } from './http/agent-app';
import { serverApp } from './mcp/server/server-app';

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
    warn.mockRestore();
    await app.close();

    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringContaining('No guard protects the MCP endpoint /mcp'),
        expect.stringContaining('not declared: nowhere'),
        expect.stringContaining('match no tool at boot: orders_*.'),
        expect.stringContaining("send the caller's token to https://elsewhere.example"),
      ]),
    );
  });
});
