import { type INestApplication, UseGuards } from '@nestjs/common';
import { McpServerModule } from 'nestjs-agent/mcp';
import { agentsApp, type AgentsApp, ArchiveTools } from './agents/several-agents';
import { ADAPTERS, BearerGuard } from './http/agent-app';
import { MCP_CLIENTS } from './mcp/mcp-client';

const server = (agent?: string, path = 'mcp') =>
  McpServerModule.forRoot({
    path,
    decorators: [UseGuards(BearerGuard)],
    ...(agent !== undefined && { agent }),
  });

describe.each(ADAPTERS)('an MCP server of one agent on %s', (adapter) => {
  let opened: INestApplication | undefined;
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  const open = async (...servers: ReturnType<typeof server>[]): Promise<AgentsApp> => {
    const app = await agentsApp({
      adapter,
      agents: ['archive'],
      imports: servers,
      features: [
        {
          name: 'archive',
          agents: ['cellar'],
          tools: { include: ['archive_*'] },
          permissions: { archive_burn: 'allow', archive_find: 'ask' },
        },
        { name: 'cellar' },
        { name: 'ashes', tools: { include: ['archive_*'] }, permissions: { '*_find': 'deny' } },
      ],
    });
    opened = app.app;
    return app;
  };

  describe.each(MCP_CLIENTS)('with $name', ({ connect }) => {
    it('has its tools, its permissions and its audit', async () => {
      const app = await open(
        server('archive'),
        server('ashes', 'ashes/mcp'),
        server('agent', 'all'),
      );
      const archive = await connect(`${app.url}/mcp`, { user: 'alice', answers: 'accept' });
      expect(archive.getServerVersion()?.name).toBe('archive');
      const names = async (of: typeof archive) =>
        (await of.listTools()).tools.map(({ name }) => name);
      expect(await names(archive)).toEqual(['archive_find', 'archive_burn']);
      expect(await archive.call('archive_find', { name: 'map' })).toMatchObject({
        content: [{ text: 'found map' }],
      });
      expect(app.records).toMatchObject([
        { tool: 'archive_find', via: 'mcp', outcome: 'executed', principal: 'alice' },
      ]);
      await expect(archive.call('read_note', { id: 1 })).rejects.toThrow('Unknown tool: read_note');
      await expect(archive.call('ask_cellar', { message: 'x' })).rejects.toThrow('Unknown tool');
      await archive.close();

      const ashes = await connect(`${app.url}/ashes/mcp`, { user: 'alice', answers: 'decline' });
      expect(await names(ashes)).toEqual(['archive_burn']);
      await ashes.call('archive_burn', { name: 'map' });
      await ashes.close();
      expect(app.app.get(ArchiveTools).burnt).toEqual([]);

      const all = await connect(`${app.url}/all`, { user: 'alice' });
      const served = await names(all);
      expect(served).toEqual(expect.arrayContaining(['read_note', 'archive_find']));
      expect(served).not.toContain('ask_archive');
      await all.close();
    });
  });

  it('cannot be of an agent that does not exist', async () => {
    await expect(open(server('archiv'))).rejects.toThrow(
      'options.agent names an unknown agent "archiv"',
    );
  });
});
