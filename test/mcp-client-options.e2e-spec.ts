import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, ToolCallFactory, ToolRegistry } from 'nestjs-agent';
import { McpClientModule, McpClients, type McpClientServer } from 'nestjs-agent/mcp';
import { ClientApp, Opened, until } from './mcp/client/client-app';
import { EMPTY_INPUT, RawServer, textResult, type RawBehaviour } from './mcp/client/raw-server';

type Options = Omit<McpClientServer, 'url' | 'command'>;

const tellsName: RawBehaviour = ({ method, params }) =>
  method === 'tools/call' ? textResult(`called ${params?.name}`) : undefined;

const tool = (name: string, more: object = {}): object => ({
  name,
  description: `The tool ${name}`,
  inputSchema: EMPTY_INPUT,
  ...more,
});

describe('the options of a foreign server', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function serve(tools: readonly object[], behave = tellsName): Promise<RawServer> {
    const server = opened.add(new RawServer(behave));
    server.tools = tools;
    return server.start();
  }

  async function start(server: RawServer, options: Options = {}): Promise<ClientApp> {
    return opened.add(await ClientApp.start({ x: { ...options, url: server.url } }));
  }

  describe('"tools"', () => {
    const TOOLS = [tool('read-file'), tool('read-secret'), tool('drop'), tool('list')];
    const tools = {
      include: ['read-*', 'drop', 'nowhere'],
      exclude: ['*-secret'],
      rename: { 'read-file': 'open.file' },
      options: { 'read-file': { permission: 'allow' } },
    } as const;

    it('select, rename and permit by the server’s own names; the prefix stays', async () => {
      const app = await start(await serve(TOOLS), { tools });
      expect(app.names()).toEqual(['x_open_file', 'x_drop']);
      const statuses = app.names().map(async (name) => {
        const { response } = await app.app.get(ToolCallFactory).create(name, {});
        return response.status;
      });
      expect(await Promise.all(statuses)).toEqual(['pending', 'awaiting_approval']);
      expect(await app.call('x_open_file')).toMatchObject({ content: 'called read-file' });
      expect(app.log.of('warn').join()).toContain('names "nowhere", but the server has no such');
    });

    it('need no prefix', async () => {
      const app = await start(await serve(TOOLS), { tools, prefix: '' });
      expect(app.names()).toEqual(['open_file', 'drop']);
    });
  });

  it('leave a tool out whose name another server’s tool has, in the order of the servers', async () => {
    const [one, two] = [await serve([tool('read')]), await serve([tool('read'), tool('write')])];
    const servers = {
      one: { url: one.url, prefix: '' },
      two: { url: two.url, prefix: '' },
    };
    const app = opened.add(await ClientApp.start(servers));
    expect(app.names()).toEqual(['read', 'write']);
    await app.call('read');
    expect([one.of('tools/call').length, two.of('tools/call').length]).toEqual([1, 0]);
    expect(app.log.of('warn').join()).toContain('"read" is left out: another tool is named "read"');
  });

  it('need no description of a tool: its title or its name stands for it', async () => {
    const without = { description: undefined };
    const app = await start(
      await serve([
        tool('a', { ...without, title: 'Titled' }),
        tool('b', { description: ' ', annotations: { title: 'Hinted' } }),
        tool('c', without),
      ]),
    );
    const described = app.registry.list().map(({ title, description }) => [title, description]);
    expect(described).toEqual([
      ['Titled', 'Titled'],
      ['Hinted', 'Hinted'],
      [undefined, 'c'],
    ]);
  });

  it.each<[string, Options, string | undefined]>([
    ['a text, also without trust', { instructions: 'Ask first.' }, 'Ask first.'],
    ['none', { instructions: false, trust: true }, undefined],
  ])('give the model as instructions %s', async (_, options, expected) => {
    const app = await start(await serve([tool('a')]), options);
    expect(app.tool('x_a').toolkit?.instructions).toBe(expected);
  });

  it('end a call that takes longer than "timeoutMs" without progress, and tell the server', async () => {
    const server = await serve([tool('slow')], () => undefined);
    const app = await start(server, { timeoutMs: 100 });
    const { error } = await app.call('x_slow');
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('0.1 s') });
    await until(() => server.of('notifications/cancelled').length === 1);
  });

  it('may come from a factory', async () => {
    const { url } = await serve([tool('read')]);
    @Module({ providers: [{ provide: 'url', useValue: url }], exports: ['url'] })
    class SettingsModule {}
    const module = await Test.createTestingModule({
      imports: [
        AgentModule.forRoot({ path: false }),
        McpClientModule.forRootAsync({
          imports: [SettingsModule],
          inject: ['url'],
          useFactory: (given: string) => Promise.resolve({ servers: { x: { url: given } } }),
        }),
      ],
    }).compile();
    const app = opened.add(module.createNestApplication({ logger: false }));
    await app.init();
    expect(app.get(McpClients).status()).toMatchObject([{ state: 'connected' }]);
    expect(app.get(ToolRegistry).get('x_read')).toBeDefined();
  });
});
