import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from 'nestjs-agent/types';
import type { McpClientStdioOptions } from 'nestjs-agent/mcp';
import { z } from 'zod';
import { ClientApp, Opened, until } from './mcp/client/client-app';
import { legacyServer, modernServer } from './mcp/client/http-servers';

/** A reference server, which is a program of its own. */
function reference(name: string, ...args: readonly string[]): McpClientStdioOptions {
  const program = createRequire(__filename).resolve(`@modelcontextprotocol/${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(program), 'dist/index.js'), ...args] };
}

describe('the reference servers over stdio', () => {
  const opened = new Opened();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-client-'));
  });
  afterEach(async () => {
    await opened.close();
    await rm(folder, { recursive: true });
  });

  /** Calls every tool of a server, and answers the texts of the results. */
  async function callAll(
    app: ClientApp,
    prefix: string,
    inputs: Readonly<Record<string, JsonObject>>,
  ): Promise<Readonly<Record<string, string>>> {
    const names = app.names().filter((name) => name.startsWith(prefix));
    expect(names.toSorted()).toEqual(
      Object.keys(inputs)
        .map((name) => prefix + name)
        .toSorted(),
    );
    const texts: Record<string, string> = {};
    for (const [name, input] of Object.entries(inputs)) {
      const { status, content, error } = await app.call(prefix + name, input);
      expect([name, status, error]).toEqual([name, 'executed', undefined]);
      texts[name] = typeof content === 'string' ? content : JSON.stringify(content);
    }
    return texts;
  }

  it('filesystem: all tools work', async () => {
    const app = opened.add(
      await ClientApp.start({ files: reference('server-filesystem', folder) }),
    );
    const path = join(folder, 'a.txt');
    await writeFile(join(folder, 'pixel.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
    const texts = await callAll(app, 'files_', {
      write_file: { path, content: 'one\ntwo\n' },
      read_file: { path },
      read_text_file: { path, head: 1 },
      read_media_file: { path: join(folder, 'pixel.png') },
      read_multiple_files: { paths: [path] },
      edit_file: { path, edits: [{ oldText: 'two', newText: 'three' }] },
      create_directory: { path: join(folder, 'sub') },
      list_directory: { path: folder },
      list_directory_with_sizes: { path: folder },
      directory_tree: { path: folder },
      move_file: { source: path, destination: join(folder, 'sub/b.txt') },
      search_files: { path: folder, pattern: '**/*.txt' },
      get_file_info: { path: join(folder, 'sub/b.txt') },
      list_allowed_directories: {},
    });
    expect(texts).toMatchObject({
      read_text_file: 'one',
      read_media_file: expect.stringContaining('iVBORw0KGgo='),
      list_directory: expect.stringContaining('[DIR] sub'),
      search_files: expect.stringContaining('b.txt'),
    });
    expect(await readFile(join(folder, 'sub/b.txt'), 'utf8')).toBe('one\nthree\n');

    const outside = await app.call('files_read_file', { path: '/etc/passwd' });
    expect(outside).toMatchObject({ status: 'failed', error: { code: 'tool_error' } });
  });

  it('everything: all tools work, with pictures, files, links and progress', async () => {
    const env = { SHOWN_TO_CHILD: 'yes' };
    const app = opened.add(
      await ClientApp.start({ every: { ...reference('server-everything'), env } }),
    );
    const texts = await callAll(app, 'every_', {
      echo: { message: 'hi' },
      get_annotated_message: { messageType: 'error', includeImage: true },
      get_env: {},
      get_resource_links: { count: 2 },
      get_resource_reference: { resourceType: 'Text', resourceId: 1 },
      get_structured_content: { location: 'Chicago' },
      get_sum: { a: 2, b: 3 },
      get_tiny_image: {},
      gzip_file_as_resource: {
        name: 'x.gz',
        data: 'data:text/plain,hello',
        outputType: 'resource',
      },
      toggle_simulated_logging: {},
      toggle_subscriber_updates: {},
      trigger_long_running_operation: { duration: 1, steps: 2 },
    });
    expect(texts).toMatchObject({
      echo: 'Echo: hi',
      get_annotated_message: expect.stringContaining('"type":"image","mediaType":"image/png"'),
      get_env: expect.stringContaining('SHOWN_TO_CHILD'),
      get_resource_links: expect.stringContaining('demo://resource/'),
      get_resource_reference: expect.stringContaining('demo://resource/dynamic/text/1:'),
      get_structured_content: expect.stringContaining('temperature'),
      get_sum: expect.stringContaining('5'),
      gzip_file_as_resource: expect.stringContaining('"type":"file"'),
    });
    // It can only be called as a task.
    expect(app.log.of('warn').join()).toContain('"simulate-research-query" is left out');
    // A child gets a few safe variables and its own.
    expect(texts['get_env']).not.toContain('npm_');

    const told: unknown[] = [];
    const input = { duration: 1, steps: 4 };
    const emit = (data: unknown) => void told.push(data);
    await app.call('every_trigger_long_running_operation', input, { emit });
    expect(told).toContainEqual({ progress: 1, total: 4 });
  });

  it('memory and sequential thinking: all tools work', async () => {
    const app = opened.add(
      await ClientApp.start({
        memory: {
          ...reference('server-memory'),
          env: { MEMORY_FILE_PATH: join(folder, 'graph.json') },
        },
        steps: reference('server-sequential-thinking'),
      }),
    );
    const ada = { name: 'Ada', entityType: 'person', observations: ['counts'] };
    const bob = { name: 'Bob', entityType: 'person', observations: [] };
    const relation = { from: 'Ada', to: 'Bob', relationType: 'knows' };
    const texts = await callAll(app, 'memory_', {
      create_entities: { entities: [ada, bob] },
      create_relations: { relations: [relation] },
      add_observations: { observations: [{ entityName: 'Ada', contents: ['writes'] }] },
      search_nodes: { query: 'counts' },
      open_nodes: { names: ['Bob'] },
      delete_relations: { relations: [relation] },
      delete_observations: { deletions: [{ entityName: 'Ada', observations: ['counts'] }] },
      delete_entities: { entityNames: ['Bob'] },
      read_graph: {},
    });
    expect(texts['search_nodes']).toContain('Ada');
    expect(JSON.parse(texts['read_graph'] ?? '')).toMatchObject({
      entities: [{ name: 'Ada', observations: ['writes'] }],
      relations: [],
    });
    const thought = { thought: 'Hm', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const thoughts = await callAll(app, 'steps_', { sequentialthinking: thought });
    expect(thoughts['sequentialthinking']).toContain('thoughtNumber');
  });
});

describe('the official servers over HTTP', () => {
  const opened = new Opened();
  afterEach(() => opened.close());
  const add = ({ a }: { a: number }) => ({
    content: [{ type: 'text' as const, text: String(a + 1) }],
  });

  it('of the current revision: tools, instructions and changes of the list', async () => {
    let hasMore = false;
    const server = opened.add(
      await modernServer((mcp) => {
        const input = { inputSchema: z.object({ a: z.number() }) };
        mcp.registerTool('add-one', { description: 'Add one', ...input }, add);
        if (hasMore) mcp.registerTool('add-two', { description: 'Add two', ...input }, add);
      }).start(),
    );
    const app = opened.add(await ClientApp.start({ calc: { url: server.url, trust: true } }));
    expect(app.names()).toEqual(['calc_add_one']);
    expect(app.tool('calc_add_one').toolkit?.instructions).toBe('Mind the gap.');
    expect(await app.call('calc_add_one', { a: 2 })).toMatchObject({ content: '3' });
    hasMore = true;
    await until(() =>
      server.seen.some(({ headers }) => headers['mcp-method'] === 'subscriptions/listen'),
    );
    server.notify.toolsChanged();
    await until(() => app.names().length === 2);
    expect(await app.call('calc_add_two', { a: 5 })).toMatchObject({ content: '6' });
  });

  it('of an older revision: with a session, which is ended, and which may be lost', async () => {
    const server = opened.add(
      await legacyServer((mcp) => {
        mcp.registerTool('add', { description: 'Add', inputSchema: { a: z.number() } }, add);
      }).start(),
    );
    const app = opened.add(await ClientApp.start({ calc: { url: server.url } }));
    expect(await app.call('calc_add', { a: 2 })).toMatchObject({ content: '3' });

    for (const mcp of server.servers) {
      mcp.registerTool('late', { description: 'Late' }, () => ({ content: [] }));
    }
    await until(() => app.names().includes('calc_late'));

    // The server restarts and knows no session any more.
    server.transports.clear();
    const lost = await app.call('calc_add', { a: 2 });
    expect(lost).toMatchObject({ status: 'failed', error: { code: 'temporarily_unavailable' } });
    expect(app.names()).toContain('calc_add');
    await until(() => app.clients.status()[0]?.state === 'connected');
    expect(await app.call('calc_add', { a: 3 })).toMatchObject({ content: '4' });
    await app.close();
    expect(server.seen.at(-1)?.method).toBe('DELETE');
    expect(server.transports.size).toBe(0);
  });
});
