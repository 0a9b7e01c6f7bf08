import { once } from 'node:events';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { defineTool, ToolRegistry, ToolResult } from 'nestjs-agent';
import type { JsonSchema } from 'nestjs-agent/types';
import { ADAPTERS } from './http/agent-app';
import { McpClosers, type McpApp, type McpAppOptions } from './mcp/mcp-app';
import {
  allToolsOf,
  MCP_CLIENTS,
  textOfResult,
  type ClientSettings,
  type McpClient,
} from './mcp/mcp-client';
import { listening } from './support/free-port';

const EVERYONES = [
  'add',
  'who_am_i',
  'count_characters',
  'fail',
  'report',
  'linger',
  'remove_file',
  'find_order',
  'create_order',
];

const CASES = ADAPTERS.flatMap((adapter) => MCP_CLIENTS.map((kind) => ({ adapter, kind })));

describe.each(CASES)('$kind.name on $adapter', ({ adapter, kind }) => {
  const closers = new McpClosers();
  afterEach(() => closers.close());

  /** A shop, and the clients of its users. */
  async function setUp(options: Omit<McpAppOptions, 'adapter'> = {}) {
    const shop = await closers.app({ adapter, ...options });
    return { ...shop, connect: (settings: ClientSettings) => connectTo(shop.mcp, settings) };
  }

  function connectTo(url: string, settings: ClientSettings): Promise<McpClient> {
    return closers.client(kind.connect(url, settings));
  }

  it('learns the name, the version and the instructions of the server', async () => {
    const { connect } = await setUp({ server: { instructions: 'Be polite.' } });
    const client = await connect({ user: 'alice' });
    expect(client.getServerVersion()).toMatchObject({ name: 'shop', version: '1.2.3' });
    expect(client.getInstructions()).toContain('Be polite.');
  });

  it('lists the tools of its user over all pages', async () => {
    const { connect } = await setUp({ server: { pageSize: 2 } });
    const alice = await allToolsOf(await connect({ user: 'alice' }));
    const bob = await allToolsOf(await connect({ user: 'bob' }));
    expect([...alice].sort()).toEqual([...EVERYONES, 'hidden'].sort());
    expect([...bob].sort()).toEqual([...EVERYONES].sort());
  });

  it('calls tools of providers and of routes as its user', async () => {
    const { connect } = await setUp();
    for (const user of ['alice', 'bob']) {
      const client = await connect({ user });
      expect(textOfResult(await client.call('who_am_i'))).toBe(user);
      const order = await client.call('find_order', { id: 7 });
      expect(JSON.parse(textOfResult(order))).toEqual({ id: 7, owner: user });
      const created = await client.call('create_order', { item: 'tea' });
      expect(JSON.parse(textOfResult(created))).toEqual({ item: 'tea', owner: user });
    }
  });

  it('receives the errors of tools, and of calls that are none', async () => {
    const { connect } = await setUp();
    const bob = await connect({ user: 'bob' });
    const failed = await bob.call('fail');
    expect(failed.isError).toBe(true);
    expect(textOfResult(failed)).toContain('The shop is closed.');
    expect(textOfResult(await bob.call('find_order', { id: 404 }))).toContain('no such order');
    expect(await bob.call('add', { a: 'one' })).toMatchObject({ isError: true });
    // To bob, a tool of alice's is no different from one that does not exist.
    await expect(bob.call('hidden')).rejects.toMatchObject({ code: -32602 });
    await expect(bob.call('missing')).rejects.toMatchObject({ code: -32602 });
  });

  it.each<[string, unknown, object]>([
    [
      'a bigint, a map and an error within',
      {
        id: 2n ** 64n,
        names: new Map([['a', 1]]),
        reason: Object.assign(new Error('connect ECONNREFUSED'), { sql: 'SELECT secret' }),
      },
      {
        id: '18446744073709551616',
        names: { a: 1 },
        reason: { code: 'tool_failed', message: 'The tool failed with an unexpected error.' },
      },
    ],
    ['nothing', null, {}],
    ['a list', [1, 2], { result: [1, 2] }],
    ['words of its own', new ToolResult('Saved.'), { result: 'Saved.' }],
  ])('takes the result of a write with a published schema: %s', async (_, result, structured) => {
    const { app, connect } = await setUp();
    const output = { type: 'object' as const };
    const save = { name: 'save', description: 'Save', output, execute: () => result };
    app.get(ToolRegistry).register(defineTool(save));
    const client = await connect({ user: 'alice' });
    await client.listTools();
    const answer = await client.call('save');
    expect(answer.structuredContent).toEqual(structured);
    expect(answer.isError).toBeUndefined();
  });

  // Validators of clients may read draft 7, and compile patterns with the flag "u".
  it.each<[string, JsonSchema, unknown]>([
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      ['tea', 2],
    ],
    [
      'a tuple with a rest',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      ['tea', 2, 3],
    ],
    ['a needless escape', { type: 'string', pattern: '^\\w+\\@\\w+$' }, 'ada@home'],
    ['an international address', { type: 'string', format: 'email' }, 'jörg@müller.example'],
  ])('takes a result whose schema has %s', async (_, schema, value) => {
    const { app, connect } = await setUp();
    const output = { type: 'object' as const, properties: { value: schema } };
    const show = { name: 'show', description: 'Show', output, execute: () => ({ value }) };
    app.get(ToolRegistry).register(defineTool(show));
    const client = await connect({ user: 'alice' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('show');
    expect((await client.call('show')).structuredContent).toEqual({ value });
  });

  it('receives progress while the tool works', async () => {
    const { connect, work } = await setUp();
    const client = await connect({ user: 'alice' });
    let call: Promise<CallToolResult> | undefined;
    const progress = await new Promise((resolve) => {
      call = client.call('report', {}, { onprogress: resolve });
    });
    expect(progress).toMatchObject({ progress: 1, total: 2, message: 'half' });
    work.emit('go');
    expect(await call).toMatchObject({ content: [{ text: 'reported' }] });
  });

  it('cancels a call, which aborts the tool', async () => {
    const { connect, work } = await setUp();
    const client = await connect({ user: 'alice' });
    const abort = new AbortController();
    const lingering = once(work, 'lingering');
    const aborted = once(work, 'aborted');
    const call = client.call('linger', {}, { signal: abort.signal });
    const outcome = expect(call).rejects.toThrow();
    await lingering;
    abort.abort();
    await aborted;
    await outcome;
  });

  it('runs a tool that asks once its user accepts', async () => {
    const { connect, work } = await setUp();
    const questions: string[] = [];
    const client = await connect({
      user: 'alice',
      answers: 'accept',
      onQuestion: (message) => questions.push(message),
    });
    const result = await client.call('remove_file', { name: 'plans.txt' });
    expect(textOfResult(result)).toBe('removed plans.txt');
    expect(work.removed).toEqual(['plans.txt by alice']);
    expect(questions).toEqual([expect.stringMatching(/remove_file[^]*plans\.txt/)]);
  });

  it('does not run a tool that asks if its user declines', async () => {
    const { connect, work } = await setUp();
    const client = await connect({ user: 'alice', answers: 'decline' });
    expect(await client.call('remove_file', { name: 'plans.txt' })).toMatchObject({
      isError: true,
    });
    expect(work.removed).toEqual([]);
  });

  it('does not run a tool that asks if it cannot ask its user', async () => {
    const { connect, work } = await setUp();
    const client = await connect({ user: 'alice' });
    const call = client.call('remove_file', { name: 'plans.txt' });
    // -32021: a capability of the client is missing.
    if (kind.isModern) await expect(call).rejects.toMatchObject({ code: -32021 });
    else expect(await call).toMatchObject({ isError: true });
    expect(work.removed).toEqual([]);
  });

  it('runs a tool that asks at once if the host is trusted to ask', async () => {
    const { connect } = await setUp({ server: { approvals: 'client' } });
    const client = await connect({ user: 'alice' });
    expect(textOfResult(await client.call('remove_file', { name: 'plans.txt' }))).toContain(
      'removed',
    );
  });

  it('reads resources of providers and of routes as its user', async () => {
    const { connect } = await setUp();
    const client = await connect({ user: 'bob' });
    const { resources } = await client.listResources();
    expect(resources).toEqual([expect.objectContaining({ uri: 'shop://terms', name: 'terms' })]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toEqual([expect.objectContaining({ uriTemplate: 'orders://{id}' })]);
    const terms = await client.readResource({ uri: 'shop://terms' });
    expect(terms.contents).toEqual([
      expect.objectContaining({ uri: 'shop://terms', text: 'No returns.' }),
    ]);
    const { contents } = await client.readResource({ uri: 'orders://7' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toEqual({ id: 7, owner: 'bob' });
    await expect(client.readResource({ uri: 'shop://secrets' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('gets prompts, and completes their arguments for its user', async () => {
    const { connect } = await setUp();
    const client = await connect({ user: 'bob' });
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      expect.objectContaining({
        name: 'complain',
        arguments: [expect.objectContaining({ name: 'about', required: true })],
      }),
    ]);
    const { messages } = await client.getPrompt({
      name: 'complain',
      arguments: { about: 'the tea' },
    });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write a complaint about the tea.' } },
    ]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'complain' },
      argument: { name: 'about', value: 'late' },
    });
    expect(completion.values).toEqual(['late delivery to bob']);
    await expect(client.getPrompt({ name: 'missing' })).rejects.toMatchObject({ code: -32602 });
  });

  it('hears of a tool that is registered at run time', async () => {
    const { app, connect } = await setUp();
    let opened: McpClient | undefined;
    const changed = new Promise<void>((onToolsChanged) => {
      const onListening = () => register(app);
      const connecting = connect({ user: 'alice', onToolsChanged, onListening });
      void connecting.then((client) => (opened = client));
    });
    await changed;
    expect(opened && (await allToolsOf(opened))).toContain('late_tool');
  });

  it('goes on after a restart of the server', async () => {
    const first = await setUp();
    const client = await first.connect({ user: 'alice', answers: 'accept' });
    expect(textOfResult(await client.call('who_am_i'))).toBe('alice');
    await first.app.close();
    const second = await closers.app({ adapter, port: first.port });
    // By then the client's connection to the first one has ended.
    await listening(first.port);
    expect(textOfResult(await client.call('who_am_i'))).toBe('alice');
    // It still knows that this client can ask its user.
    expect(textOfResult(await client.call('remove_file', { name: 'a' }))).toBe('removed a');
    expect(second.work.removed).toEqual(['a by alice']);
  });
});

function register(app: McpApp['app']): void {
  const tool = { name: 'late_tool', description: 'Registered at run time', execute: () => 'late' };
  app.get(ToolRegistry).register(defineTool(tool));
}
