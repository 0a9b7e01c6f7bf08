import { defineTool, type ToolContext, ToolRegistry, ToolResult } from 'nestjs-agent';
import type { JsonValue } from 'nestjs-agent/types';
import { ADAPTERS } from './http/agent-app';
import { answerOf, type Answer, type Read } from './mcp/server/rpc-client';
import { serverApp, type ServerApp } from './mcp/server/server-app';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe.each(ADAPTERS)('the MCP endpoint on %s', (adapter) => {
  let served: ServerApp;
  const { modern, legacy, send, post } = {
    modern: (...args: Parameters<ServerApp['client']['modern']>) => served.client.modern(...args),
    legacy: (...args: Parameters<ServerApp['client']['legacy']>) => served.client.legacy(...args),
    send: (...args: Parameters<ServerApp['client']['send']>) => served.client.send(...args),
    post: (...args: Parameters<ServerApp['client']['post']>) => served.client.post(...args),
  };

  beforeAll(async () => {
    served = await serverApp({
      adapter,
      server: { name: 'shop', version: '1.2.3', instructions: 'Sell things.', pageSize: 4 },
    });
  });
  afterAll(() => served.app.close());

  const failed = ({ status, error }: Answer): readonly unknown[] => [status, error?.code];

  /** The cursor of the last page of tools. */
  async function lastCursor(): Promise<unknown> {
    let cursor: unknown;
    for (let next: unknown; ; cursor = next) {
      next = (await modern('tools/list', { cursor })).result?.['nextCursor'];
      if (next === undefined) return cursor;
    }
  }

  describe('messages', () => {
    it.each([
      ['no JSON', '{"jsonrpc":', 400, -32_700],
      ['nothing', '', 400, undefined],
      ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32_600],
      ['a text', '"ping"', 400, -32_600],
      ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
      ['no method', '{"jsonrpc":"2.0","id":1}', 400, -32_600],
      ['an odd id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32_600],
      ['a large id', `{"jsonrpc":"2.0","id":${2 ** 53},"method":"ping"}`, 400, -32_600],
      ['a long id', JSON.stringify({ ...PING, id: 'x'.repeat(1_001) }), 400, -32_600],
      ['odd parameters', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 400, -32_600],
    ])('refuses %s in JSON-RPC', async (_, body, status, code) => {
      const answer = await post(body);

      expect(answer.status).toBe(status);
      expect(answer.error?.message).toMatch(/\w/);
      if (code !== undefined) expect(answer.error?.code).toBe(code);
    });

    it('takes null for no parameters, as some clients write them', async () => {
      expect((await post({ ...PING, params: null })).result).toEqual({});
      const call = { name: 'fail', arguments: null };
      expect((await legacy('tools/call', call)).result).toMatchObject({ isError: true });
      expect((await legacy('tools/list', { cursor: null })).result).toHaveProperty('tools');
    });

    it('names the id of a request that it refuses', async () => {
      const answer = await post({ jsonrpc: '1.0', id: 'mine', method: 'ping' });

      expect(answer.id).toBe('mine');
    });

    it('refuses other media types and large bodies in JSON-RPC', async () => {
      const text = await answerOf(
        await send('hello', { headers: { 'content-type': 'text/plain' } }),
      );
      const large = await post({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(1_100_000) });

      expect(failed(text)).toEqual([415, -32_600]);
      expect(failed(large)).toEqual([413, -32_600]);
    });

    it.each([
      ['DELETE', undefined],
      // The way Python's client ends a session.
      ['DELETE', 'application/json'],
      ['PUT', undefined],
      ['PATCH', undefined],
    ])('allows no %s, of type %s', async (method, type) => {
      const response = await send(undefined, { headers: { 'content-type': type } }, method);

      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, GET');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null });
    });

    it('takes notifications, known or not', async () => {
      for (const method of ['notifications/initialized', 'notifications/unheard_of']) {
        const response = await send(JSON.stringify({ jsonrpc: '2.0', method }));
        expect([response.status, await response.text()]).toEqual([202, '']);
      }
    });

    it('takes a body of 150 kB', async () => {
      const answer = await modern('tools/call', {
        name: 'add',
        arguments: { a: 1, b: 2, filler: 'x'.repeat(150_000) },
      });

      expect(answer.result?.['isError']).toBe(true);
      expect(answer.result?.['content'][0].text).toContain('filler');
    });
  });

  describe('origins', () => {
    it.each([undefined, 'http://localhost:6274', 'https://127.0.0.1', 'http://[::1]:80'])(
      'lets %s in',
      async (origin) => {
        expect((await modern('tools/list', {}, { headers: { origin } })).status).toBe(200);
      },
    );

    it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://'])(
      'keeps %s out, even if it equals the host',
      async (origin) => {
        const host = origin.replace(/^\w+:\/\//, '');
        const answer = await modern('tools/list', {}, { headers: { origin, host } });
        expect(failed(answer)).toEqual([403, -32_600]);
      },
    );

    it('are looked at before the method', async () => {
      for (const method of ['GET', 'DELETE']) {
        const headers = { 'content-type': undefined, accept: undefined };
        const evil = { ...headers, origin: 'https://evil.example' };
        expect((await send(undefined, { headers }, method)).status).toBe(405);
        expect((await send(undefined, { headers: evil }, method)).status).toBe(403);
      }
    });

    it('are looked at before the body', async () => {
      const origin = 'https://evil.example';
      // Fastify reads a JSON body before all else.
      for (const type of ['text/plain', 'application/json'].slice(
        0,
        adapter === 'express' ? 2 : 1,
      )) {
        const answer = await answerOf(
          await send('{"jsonrpc":', { headers: { origin, 'content-type': type } }),
        );
        expect(failed(answer)).toEqual([403, -32_600]);
      }
    });
  });

  describe('the modern revision', () => {
    it('is checked in the order of the specification', async () => {
      const without = await served.client.request(
        'tools/list',
        {},
        { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' } },
      );
      const header = await modern('tools/list', {}, { headers: { 'mcp-protocol-version': '' } });
      const other = await modern(
        'tools/list',
        {},
        {
          headers: { 'mcp-protocol-version': '2030-01-01' },
          meta: { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' },
        },
      );
      const method = await modern('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } });
      const unknown = await modern('tools/fly');

      expect(failed(without)).toEqual([400, -32_602]);
      expect(failed(header)).toEqual([400, -32_020]);
      expect(failed(other)).toEqual([400, -32_022]);
      expect(other.error?.data).toEqual({ supported: ['2026-07-28'], requested: '2030-01-01' });
      expect(failed(method)).toEqual([400, -32_020]);
      expect(failed(unknown)).toEqual([404, -32_601]);
    });

    it('is meant by a version in _meta, by the header, or by Mcp-Method without an older version', async () => {
      const ask = (headers: Record<string, string>, meta?: object): Promise<Answer> =>
        served.client.request('tools/list', { ...(meta && { _meta: meta }) }, { headers });
      const method = { 'mcp-method': 'tools/list' };
      const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
      const older = { 'mcp-protocol-version': '2025-06-18' };

      expect(failed(await ask(method))).toEqual([400, -32_602]);
      expect(failed(await ask(older, version))).toEqual([400, -32_602]);
      expect(Object.keys((await ask({ ...method, ...older })).result ?? {})).toEqual([
        'tools',
        'nextCursor',
      ]);
    });

    it('compares Mcp-Name, decoded', async () => {
      const params = { name: 'add', arguments: { a: 1, b: 2 } };
      const base64 = `=?base64?${Buffer.from('add').toString('base64')}?=`;

      expect((await modern('tools/call', params, { headers: { 'mcp-name': base64 } })).status).toBe(
        200,
      );
      expect(
        failed(await modern('tools/call', params, { headers: { 'mcp-name': 'sub' } })),
      ).toEqual([400, -32_020]);
      expect(failed(await modern('tools/call', params, { headers: { 'mcp-name': '' } }))).toEqual([
        400, -32_020,
      ]);
    });

    it.each(['=?base64?YWRk===?=', '=?base64?YWR?=', '=?base64?YW Rk?=', '=?base64?YWRk'])(
      'takes %s for no Base64',
      async (name) => {
        const params = { name: 'add', arguments: { a: 1, b: 2 } };
        const answer = await modern('tools/call', params, { headers: { 'mcp-name': name } });
        expect(failed(answer)).toEqual([400, -32_020]);
      },
    );

    it('is described by server/discover', async () => {
      const { result } = await modern('server/discover');

      expect(result).toEqual({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: { listChanged: true } },
        instructions: 'Sell things.\n\nCount from one.',
        ttlMs: 60_000,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'shop', version: '1.2.3' } },
      });
    });

    it('has no methods of older ones', async () => {
      for (const method of ['initialize', 'ping', 'resources/subscribe']) {
        expect(failed(await modern(method))).toEqual([404, -32_601]);
      }
    });
  });

  describe('older revisions', () => {
    it.each([
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
      ['2024-11-05', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
    ])('initialize for %s is answered with %s', async (asked, given) => {
      const answer = await post({
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: asked, capabilities: { elicitation: {} }, clientInfo: {} },
      });

      expect(answer.headers.get('mcp-session-id')).toMatch(/^e-[\da-f-]{36}$/);
      expect(answer.result).toEqual({
        protocolVersion: given,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'shop', version: '1.2.3' },
        instructions: 'Sell things.\n\nCount from one.',
      });
    });

    it('initialize as bridges send it, with a header of the modern one', async () => {
      const { result } = await served.client.request(
        'initialize',
        { protocolVersion: '2025-11-25', capabilities: {} },
        { headers: { 'mcp-method': 'initialize' } },
      );
      expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
    });

    it('tells clients that cannot ask apart', async () => {
      for (const capabilities of [{}, { elicitation: { url: {} } }]) {
        const { headers } = await legacy('initialize', { capabilities });
        expect(headers.get('mcp-session-id')).toMatch(/^n-/);
      }
    });

    it('get calls without initialize, and with an unknown session', async () => {
      const call = { name: 'add', arguments: { a: 1, b: 2 } };
      const without = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
      const other = await legacy('tools/call', call, { headers: { 'mcp-session-id': 'e-gone' } });

      expect(without.result).toEqual({ content: [{ type: 'text', text: '3' }] });
      expect(other.result).toEqual({ content: [{ type: 'text', text: '3' }] });
    });

    it('may send the header of their revision twice', async () => {
      const revision = (...values: string[]) =>
        legacy('ping', {}, { headers: { 'mcp-protocol-version': values.join(', ') } });

      expect((await revision('2025-06-18', '2025-06-18')).result).toEqual({});
      expect(failed(await revision('2025-06-18', '2025-11-25'))).toEqual([400, -32_602]);
    });

    it('get results without members of the modern one', async () => {
      const { result = {} } = await legacy('tools/list');

      expect(Object.keys(result)).toEqual(['tools', 'nextCursor']);
      expect((await legacy('ping')).result).toEqual({});
    });

    it('get errors of methods with status 200', async () => {
      expect(failed(await legacy('tools/fly'))).toEqual([200, -32_601]);
      expect(failed(await legacy('tools/call', { name: 'nothing' }))).toEqual([200, -32_602]);
    });

    it('get empty answers to subscriptions of resources', async () => {
      expect((await legacy('resources/subscribe', { uri: 'x:y' })).result).toEqual({});
      expect((await legacy('resources/unsubscribe', { uri: 'x:y' })).result).toEqual({});
    });
  });

  describe('tools/list', () => {
    const namesFor = async (user: string): Promise<readonly string[]> => {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const { result = {} } = await modern('tools/list', { cursor }, { user });
        names.push(...(result['tools'] as { name: string }[]).map(({ name }) => name));
        cursor = result['nextCursor'] as string | undefined;
      } while (cursor !== undefined);
      return names;
    };

    it('is the list of the caller, by pages, in order of registration', async () => {
      const [alice, bob] = [await namesFor('alice'), await namesFor('bob')];

      expect(alice).toEqual([
        ...['get_order', 'change_amount', 'place_order', 'delete_order', 'add', 'structured'],
        ...['long', 'fail', 'mixed', 'progress', 'wait', 'alice_only', 'keep_secret'],
      ]);
      expect(bob).toEqual(alice.filter((name) => name !== 'alice_only'));
    });

    it('refuses cursors that it did not make', async () => {
      for (const cursor of ['abc', 7, '', Buffer.from('p1e9').toString('base64url')]) {
        expect(failed(await modern('tools/list', { cursor }))).toEqual([200, -32_602]);
      }
    });

    it('describes a tool as hosts and directories expect', async () => {
      const all: Read[] = [];
      for (let cursor; ;) {
        const { result }: Answer = await modern('tools/list', { cursor });
        all.push(...(result?.['tools'] as Read[]));
        if (!(cursor = result?.['nextCursor'])) break;
      }
      const byName = Object.fromEntries(all.map((tool) => [tool.name, tool]));

      expect(byName['add']).toMatchObject({
        title: 'Sum of two',
        annotations: {
          title: 'Sum of two',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: false,
          openWorldHint: false,
        },
      });
      expect(byName['change_amount']).toMatchObject({
        title: 'Change amount',
        annotations: { readOnlyHint: false, destructiveHint: true },
      });
      expect(byName['delete_order'].annotations).toMatchObject({
        destructiveHint: true,
        idempotentHint: true,
      });
      expect(byName['structured'].outputSchema).toMatchObject({
        type: 'object',
        properties: { sum: { type: 'integer' } },
      });
      expect(byName['add'].outputSchema).toBeUndefined();
    });
  });

  describe('tools/call', () => {
    const call = (name: string, args: object = {}, options = {}): Promise<Answer> =>
      modern('tools/call', { name, arguments: args }, options);

    it('runs provider tools, and routes as the caller', async () => {
      expect((await call('add', { a: 1, b: 2 })).result).toMatchObject({
        resultType: 'complete',
        content: [{ type: 'text', text: '3' }],
      });
      for (const user of ['alice', 'bob']) {
        const { result } = await call('get_order', { id: 7 }, { user });
        expect(JSON.parse(result?.['content'][0].text)).toEqual({ id: 7, owner: user });
      }
    });

    it('says no more of a hidden, inactive or unknown tool than that it is unknown, and runs no denied one', async () => {
      for (const name of ['grouped', 'nothing', '__proto__']) {
        expect(failed(await call(name))).toEqual([200, -32_602]);
      }
      expect((await call('never')).result).toMatchObject({ isError: true });
      const { error } = await call('alice_only', {}, { user: 'bob' });
      expect(error).toEqual({ code: -32_602, message: 'Unknown tool: alice_only' });
    });

    it.each([[{ name: 7 }], [{ name: 'add', arguments: [] }], [{}]])(
      'refuses %p',
      async (params) => {
        const headers = { 'mcp-name': 'name' in params ? String(params.name) : undefined };
        const answer = await legacy('tools/call', params, { headers });
        expect(failed(answer)).toEqual([200, -32_602]);
      },
    );

    it('tells what is wrong with arguments, and of errors only what is meant for callers', async () => {
      const wrong = await call('change_amount', { id: 1, amount: 1_000 });
      const missing = await call('get_order', { id: 101 });
      const unexpected = await call('fail');

      expect(wrong.result).toMatchObject({ isError: true });
      expect(wrong.result?.['content'][0].text).toContain('/amount');
      expect(missing.result?.['content'][0].text).toContain('There is no such order.');
      expect(unexpected.result).toMatchObject({ isError: true });
      expect(JSON.stringify(unexpected)).not.toContain('secret');
      expect(served.journal.lines.filter((line) => line.startsWith('change'))).toEqual([]);
    });

    it('sends structured results whole, and bounded', async () => {
      expect((await call('structured', { a: 1, b: 2 })).result).toMatchObject({
        structuredContent: { sum: 3 },
        content: [{ type: 'text', text: '{"sum":3}' }],
      });
      const cut = await call('long', { bytes: 5_000 });
      expect(cut.result?.['structuredContent'].filler).toHaveLength(5_000);
      expect(cut.result?.['content'][0].text.length).toBeLessThanOrEqual(100);
      expect((await call('long', { bytes: 1_048_576 })).result).toMatchObject({ isError: true });
    });

    it('sends every kind of content', async () => {
      const data = Buffer.from('bytes').toString('base64');

      expect((await call('mixed')).result?.['content']).toEqual([
        { type: 'text', text: 'words' },
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data, mimeType: 'audio/wav' },
        {
          type: 'resource',
          resource: { uri: 'attachment://a%20b.pdf', mimeType: 'application/pdf', blob: data },
        },
        { type: 'resource_link', uri: 'https://pictures.example/1.png', name: 'image-5' },
      ]);
    });

    it('names the files of a result without texts, also for models that are not shown files', async () => {
      const data = Buffer.from('bytes').toString('base64');
      const files = [
        { type: 'file', name: 'half \ud83d.pdf', mediaType: 'application/pdf', data },
        { type: 'image', mediaType: 'image/png', data },
        { type: 'file', mediaType: 'application/zip', data },
        { type: 'file', url: 'https://files.example/1.zip' },
      ] as const;
      const execute = () => new ToolResult(files);
      const tool = defineTool({ name: 'bill', description: 'Bill', readOnly: true, execute });
      served.app.get(ToolRegistry).register(tool);
      const { result } = await call('bill');
      served.app.get(ToolRegistry).unregister('bill');

      const blocks = result?.['content'] as readonly Read[];
      expect(blocks.map(({ type }) => String(type)).join(' ')).toBe(
        'resource image resource resource_link text',
      );
      expect(blocks.at(-1)?.['text']).toBe(
        '[file half \ufffd.pdf: application/pdf, 5 bytes]\n[file: application/zip, 5 bytes]',
      );
    });

    it('sends progress where a token asks for it: rising, and ten at once at most', async () => {
      const meta = { progressToken: 'mine' };
      const few = await call('progress', { count: 3 }, { meta });
      const many = await call('progress', { count: 500 }, { meta });
      const none = await call('progress', { count: 3 });
      const plain = await call(
        'progress',
        { count: 3 },
        { meta, headers: { accept: 'application/json' } },
      );

      expect(few.headers.get('content-type')).toContain('text/event-stream');
      expect(few.headers.get('x-accel-buffering')).toBe('no');
      expect(few.before.map(({ params }) => params)).toEqual([
        { progressToken: 'mine', progress: 0, total: 3, message: 'begin' },
        ...[1, 2, 3].map((progress) => ({ progressToken: 'mine', progress, total: 3 })),
      ]);
      expect(many.before.length).toBeGreaterThanOrEqual(10);
      expect(many.before.length).toBeLessThan(20);
      const long = { progressToken: 'x'.repeat(1_001) };
      const ignored = await call('progress', { count: 3 }, { meta: long });
      expect([none.before, plain.before, ignored.before]).toEqual([[], [], []]);
      expect(plain.headers.get('content-type')).toContain('application/json');
    });

    it('counts progress that has no number of its own', async () => {
      const execute = (_: unknown, ctx: ToolContext): string => {
        const told: JsonValue[] = ['one', { rows: 5 }, { progress: 7 }, null, { progress: 3 }];
        for (const data of told) ctx.emit(data);
        return 'done';
      };
      const tool = defineTool({ name: 'count', description: 'Count', readOnly: true, execute });
      served.app.get(ToolRegistry).register(tool);
      const { before } = await call('count', {}, { meta: { progressToken: 1 } });
      served.app.get(ToolRegistry).unregister('count');

      expect(before.map(({ params }) => params)).toEqual([
        { progressToken: 1, progress: 1, message: 'one' },
        { progressToken: 1, progress: 2 },
        { progressToken: 1, progress: 7 },
        { progressToken: 1, progress: 8 },
      ]);
    });

    it.each(['anyOf', 'oneOf', 'allOf'])(
      'publishes no schema of results with %s at its root',
      async (key) => {
        const output = { type: 'object', [key]: [{ properties: { a: {} } }] } as const;
        const execute = (): object => ({ a: 1 });
        const tool = { name: 'composed', description: 'Composed', readOnly: true, output, execute };
        served.app.get(ToolRegistry).register(defineTool(tool));
        const { result } = await modern('tools/list', { cursor: await lastCursor() });
        const answer = await call('composed');
        served.app.get(ToolRegistry).unregister('composed');

        const entry = (result?.['tools'] as Read[]).find(({ name }) => name === 'composed');
        expect(entry).toMatchObject({ inputSchema: { type: 'object' } });
        expect(entry).not.toHaveProperty('outputSchema');
        expect(answer.result).toMatchObject({ content: [{ text: '{"a":1}' }] });
        expect(answer.result).not.toHaveProperty('structuredContent');
      },
    );

    it('records who called by which protocol and client', async () => {
      await call(
        'add',
        { a: 1, b: 2 },
        {
          meta: { 'io.modelcontextprotocol/clientInfo': { name: 'Host\n', version: '2' } },
        },
      );
      expect(served.audit.at(-1)).toMatchObject({
        tool: 'add',
        principal: 'alice',
        via: 'mcp',
        client: 'Host\\u000a/2',
        outcome: 'executed',
      });
    });
  });

  it.each([
    ['resources/read', { uri: 7 }, '"uri" must be a string.'],
    ['prompts/get', { name: null }, '"name" must be a string.'],
    ['prompts/get', { name: 'letter', arguments: [] }, '"arguments" must be an object.'],
    ['prompts/get', { name: 'letter', arguments: 'x' }, '"arguments" must be an object.'],
  ])('refuses %s with %j', async (method, params, message) => {
    expect((await legacy(method, params)).error).toEqual({ code: -32_602, message });
  });

  it('lists nothing where there are no resources and prompts', async () => {
    expect((await legacy('resources/list')).result).toEqual({ resources: [] });
    expect((await legacy('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    expect((await legacy('prompts/list')).result).toEqual({ prompts: [] });
  });
});
