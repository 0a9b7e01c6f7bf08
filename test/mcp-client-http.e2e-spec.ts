import request from 'supertest';
import type { McpClientHttpOptions } from 'nestjs-agent/mcp';
import { ClientApp, Opened, until } from './mcp/client/client-app';
import { HttpServer, modernServer } from './mcp/client/http-servers';
import {
  EMPTY_INPUT,
  RawServer,
  sendEvent,
  textResult,
  type RawBehaviour,
} from './mcp/client/raw-server';
import { z } from 'zod';

const TOOLS = [{ name: 'who', description: 'Say who calls', inputSchema: EMPTY_INPUT }];

/** Returns the call's credentials and session, with spaces, because credentials are masked. */
const tellsCaller: RawBehaviour = ({ method }, response, { headers }) => {
  if (method === 'initialize') {
    response.setHeader('mcp-session-id', `session of ${headers.authorization ?? 'none'}`);
  }
  if (method !== 'tools/call') return undefined;
  const told = `${headers.authorization ?? 'none'} in ${headers['mcp-session-id'] as string}`;
  return textResult(told.replaceAll('-', ' '));
};

describe('a server over HTTP', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function serve(behave: RawBehaviour = tellsCaller): Promise<RawServer> {
    const server = opened.add(new RawServer(behave));
    server.tools = TOOLS;
    return server.start();
  }

  const start = async (url: string, more: Omit<McpClientHttpOptions, 'url'> = {}) =>
    opened.add(await ClientApp.start({ x: { url, ...more } }));

  it('has a connection of its own for each principal, with that principal’s headers', async () => {
    const server = await serve();
    const seen: (string | undefined)[] = [];
    const app = await start(server.url, {
      headers: (ctx) => {
        seen.push(ctx?.principal);
        return { authorization: ctx ? `token-of-${ctx.principal ?? 'nobody'}` : 'token-of-module' };
      },
    });
    const asking = async (principal?: string) =>
      (await app.call('x_who', {}, principal === undefined ? {} : { principal })).content;
    expect(
      await Promise.all([
        asking('alice'),
        asking('bob'),
        asking('alice'),
        asking(),
        asking('anonymous'),
      ]),
    ).toEqual([
      'token of alice in session of token of alice',
      'token of bob in session of token of bob',
      'token of alice in session of token of alice',
      'token of nobody in session of token of nobody',
      'token of anonymous in session of token of anonymous',
    ]);
    // The module's own, and four callers'.
    expect(server.of('initialize')).toHaveLength(5);
    expect(await asking('alice')).toContain('token of alice');
    expect(server.of('initialize')).toHaveLength(5);
    expect(seen).toContain('alice');
    await app.close();
    await until(() => server.streams.size === 0);
  });

  it('closes connections of principals beyond 100', async () => {
    const server = await serve();
    const headers = (): Record<string, string> => ({});
    const app = await start(server.url, { headers });
    for (let count = 0; count < 105; count += 1) {
      await app.call('x_who', {}, { principal: `p${count}` });
    }
    // The shared one does not count.
    await until(() => server.streams.size <= 101);
    expect(server.of('initialize')).toHaveLength(106);
  });

  it('closes the connection of a principal after 5 minutes without a call', async () => {
    const server = await serve();
    const app = await start(server.url, { headers: () => ({}) });
    await until(() => server.streams.size === 1);
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'],
    });
    const now = performance.now.bind(performance);
    let passedMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    const pass = (ms: number) => {
      passedMs += ms;
      jest.advanceTimersByTime(ms);
    };
    try {
      await app.call('x_who', {}, { principal: 'alice' });
      pass(4 * 60_000);
      // Each call restarts the timer.
      await app.call('x_who', {}, { principal: 'alice' });
      pass(4 * 60_000);
      await app.call('x_who', {}, { principal: 'alice' });
      expect(server.of('initialize')).toHaveLength(2);
      pass(5 * 60_000 + 1_000);
    } finally {
      jest.useRealTimers();
      clock.mockRestore();
    }
    // The shared one stays.
    await until(() => server.streams.size === 1);
    await app.call('x_who', {}, { principal: 'alice' });
    expect(server.of('initialize')).toHaveLength(3);
  });

  it('of the current revision gets marked arguments as headers, too', async () => {
    const marked = (name: string) => z.string().optional().meta({ 'x-mcp-header': name });
    const inputSchema = z.object({
      region: marked('Region'),
      city: marked('City'),
      split: marked('Split'),
      missing: marked('Missing'),
      // A mark cannot name a header of its choice.
      token: marked('Authorization'),
      note: z.string(),
    });
    const server = opened.add(
      await modernServer((mcp) =>
        mcp.registerTool('send', { description: 'Send', inputSchema }, () => ({
          content: [{ type: 'text', text: 'sent' }],
        })),
      ).start(),
    );
    const app = await start(server.url, { headers: { authorization: 'Bearer of-the-module' } });
    // The model does not see headers.
    expect(JSON.stringify(app.tool('x_send').definition.input_schema)).not.toContain('x-mcp');
    const input = {
      region: 'us west',
      city: 'Köln',
      split: 'a\r\nx-evil: 1',
      token: 't',
      note: 'n',
    };
    expect(await app.call('x_send', input)).toMatchObject({ content: 'sent' });
    const { headers } = server.seen.find((each) => each.headers['mcp-method'] === 'tools/call')!;
    const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
    expect(headers).toMatchObject({
      'mcp-param-region': 'us west',
      'mcp-param-city': encoded('Köln'),
      'mcp-param-split': encoded('a\r\nx-evil: 1'),
      'mcp-param-authorization': 't',
      authorization: 'Bearer of-the-module',
    });
    const names = Object.keys(headers);
    expect(names.filter((name) => name.startsWith('mcp-param-'))).toHaveLength(4);
    expect(names).not.toContain('x-evil');
  });

  it('gets no half of a surrogate pair, which servers in other languages cannot read', async () => {
    const server = await serve();
    const app = await start(server.url);
    await app.call('x_who', { note: 'half \ud83d', list: ['\u{1f600}', '\ude00'] });

    const [call] = server.of('tools/call');
    expect(call?.params?.arguments).toEqual({
      note: 'half \ufffd',
      list: ['\u{1f600}', '\ufffd'],
    });
  });

  it('may send a list as structured content, and null for what it leaves out', async () => {
    const content = [{ type: 'text', text: 'found two' }];
    const results: object[] = [
      { content, structuredContent: ['a', 'b'] },
      { content, structuredContent: null, isError: null },
      { content: null, structuredContent: ['a', 'b'] },
    ];
    const server = await serve(({ method }) =>
      method === 'tools/call' ? results.shift() : undefined,
    );
    const app = await start(server.url);
    expect(await app.call('x_who')).toMatchObject({ content: 'found two' });
    expect(await app.call('x_who')).toMatchObject({ content: 'found two', status: 'executed' });
    expect(await app.call('x_who')).toMatchObject({ content: '["a","b"]' });
  });

  it('asks an authProvider for its token, again after a 401, and keeps it secret', async () => {
    let valid = 'token-of-monday';
    let current = valid;
    const server = await serve((message, response, request) => {
      const { authorization } = request.headers;
      if (authorization !== `Bearer ${valid}`) {
        response.writeHead(401).end();
        return undefined;
      }
      if (message.method !== 'tools/call') return undefined;
      return { error: { code: -32_000, message: `Called with ${authorization}` } };
    });
    const refreshed = jest.fn((): Promise<void> => {
      current = valid;
      return Promise.resolve();
    });
    const app = await start(server.url, {
      authProvider: { token: () => Promise.resolve(current), onUnauthorized: refreshed },
    });
    expect(app.names()).toEqual(['x_who']);
    expect(refreshed).not.toHaveBeenCalled();
    valid = 'token-of-tuesday';
    expect((await app.call('x_who')).error?.message).toBe('Called with ***');
    expect(refreshed).toHaveBeenCalledTimes(1);
    // Without a valid token the call is refused.
    valid = 'token-of-nobody';
    refreshed.mockImplementation(() => Promise.resolve());
    expect((await app.call('x_who')).error?.code).toBe('unauthorized');
    expect(app.log.lines.join('\n')).not.toContain('token-of');
  });

  it('never gets the caller’s own credentials', async () => {
    const server = await serve();
    const app = await start(server.url, { headers: { 'x-api-key': 'of-the-module' } });
    const caller = {
      headers: { authorization: 'Bearer of-the-caller', cookie: 'id=of-the-caller' },
    };
    expect(await app.call('x_who', {}, { request: caller, principal: 'alice' })).toMatchObject({
      content: 'none in session of none',
    });
    expect(server.seen.every(({ headers }) => headers['x-api-key'] === 'of-the-module')).toBe(true);
    expect(JSON.stringify(server.seen)).not.toContain('of-the-caller');
  });

  it('gets no headers of ours on another origin, whatever it redirects to', async () => {
    const thief = opened.add(new HttpServer((_request, response) => response.writeHead(404).end()));
    await thief.start();
    for (const status of [301, 302, 307, 308]) {
      const server = opened.add(
        new HttpServer((_request, response) =>
          response.writeHead(status, { location: `${thief.url}?query-secret` }).end(),
        ),
      );
      await server.start();
      const headers = { authorization: 'Bearer of-the-module', 'x-api-key': 'key-of-the-module' };
      const app = await start(server.url, { headers, connectTimeoutMs: 2_000 });
      expect(app.clients.status()[0]?.state).toBe('unavailable');
      expect(server.seen.length).toBeGreaterThan(0);
      await app.close();
    }
    expect(JSON.stringify(thief.seen)).not.toContain('of-the-module');
  });

  it('is told how often the agent reached itself, and the fourth time there is no call', async () => {
    const server = await serve();
    const app = await start(server.url);
    await app.call('x_who', {}, { request: { headers: { 'x-agent-depth': '1' } } });
    expect(server.seen.at(-1)?.headers['x-agent-depth']).toBe('2');
    const calls = server.of('tools/call').length;
    const { error } = await app.call(
      'x_who',
      {},
      { request: { headers: { 'x-agent-depth': '3' } } },
    );
    expect(error?.message).toContain('reached itself');
    expect(server.of('tools/call')).toHaveLength(calls);
  });

  it('is told of a cancelled call', async () => {
    const server = await serve(() => undefined);
    const app = await start(server.url);
    const cancel = new AbortController();
    const call = app.call('x_who', {}, { signal: cancel.signal });
    await until(() => server.of('tools/call').length === 1);
    cancel.abort();
    expect(await call).toMatchObject({ status: 'interrupted' });
    await until(() => server.of('notifications/cancelled').length === 1);
    const id = server.of('tools/call')[0]?.id;
    expect(server.of('notifications/cancelled')[0]?.params).toMatchObject({ requestId: id });
  });

  it('may go away and come back: calls fail in between, tools stay', async () => {
    const server = await serve();
    const app = await start(server.url);
    await server.close();
    expect(await app.call('x_who')).toMatchObject({ error: { code: 'temporarily_unavailable' } });
    expect(app.clients.status()).toEqual([{ name: 'x', state: 'unavailable', tools: ['x_who'] }]);
    expect(app.names()).toEqual(['x_who']);
    const { body } = await request(app.app.getHttpServer()).get('/agent/health');
    expect(body).toMatchObject({ status: 'ok', mcp: { x: 'unavailable' } });
    server.tools = [...TOOLS, { name: 'late', inputSchema: EMPTY_INPUT }];
    await server.start();
    await until(() => app.clients.status()[0]?.state === 'connected');
    expect(app.names()).toEqual(['x_who', 'x_late']);
    expect(await app.call('x_who')).toMatchObject({ status: 'executed' });
    const health = await request(app.app.getHttpServer()).get('/agent/health');
    expect(health.body).toMatchObject({ status: 'ok', mcp: { x: 'connected' } });
  });

  it('may be there later than the application, and is refreshed on demand', async () => {
    const server = await serve();
    await server.close();
    const app = await start(server.url);
    expect(app.names()).toEqual([]);
    await expect(app.clients.refresh('x')).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    });
    await server.start();
    expect(await app.clients.refresh('x')).toMatchObject({ state: 'connected', tools: ['x_who'] });
    await expect(app.clients.refresh('constructor')).rejects.toMatchObject({
      code: 'mcp_server_not_found',
    });
  });

  it('may send long messages on the stream that its handshake has opened', async () => {
    const server = await serve();
    const app = await start(server.url);
    await until(() => server.streams.size > 0);
    const streams = [...server.streams];
    server.tools = [{ ...TOOLS[0], name: 'later' }];
    server.notify('notifications/message', { level: 'info', data: 'x'.repeat(300_000) });
    server.notify('notifications/tools/list_changed');
    await until(() => app.names().includes('x_later'));
    expect(streams.map((stream) => stream.destroyed)).toEqual([false]);
  });

  it('may ping during a call, and take its time afterwards', async () => {
    const server = await serve((message, response) => {
      if (message.method !== 'tools/call') return undefined;
      sendEvent(response, { jsonrpc: '2.0', id: 'our ping', method: 'ping' });
      // Later than a call whose stream has ended counts as lost.
      setTimeout(() => {
        sendEvent(response, { jsonrpc: '2.0', id: message.id, result: textResult('done') });
        response.end();
      }, 600);
      return undefined;
    });
    const app = await start(server.url);
    expect(await app.call('x_who')).toMatchObject({ content: 'done' });
    expect(server.messages).toContainEqual({ jsonrpc: '2.0', id: 'our ping', result: {} });
  });

  it('loses a call with its connection, without a wait for the timeout', async () => {
    const server = await serve(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      setImmediate(() => response.destroy());
      return undefined;
    });
    const app = await start(server.url);
    const { error } = await app.call('x_who');
    expect(error).toMatchObject({ code: 'temporarily_unavailable' });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [403, 'forbidden', 'Bearer error="insufficient_scope", scope="write"'],
    [418, 'http_error'],
    [429, 'temporarily_unavailable'],
    [503, 'temporarily_unavailable'],
  ])('that answers %d makes the code %s', async (status, code, challenge = 'Bearer') => {
    const server = await serve(({ method }, response) => {
      if (method !== 'tools/call') return undefined;
      response.writeHead(status, { 'www-authenticate': challenge });
      response.end('A text with a-secret-token.');
      return undefined;
    });
    const app = await start(server.url, { headers: { authorization: 'Bearer a-secret-token' } });
    const { error } = await app.call('x_who');
    expect(error?.code).toBe(code);
    expect(error?.message).not.toContain('a-secret-token');
  });

  it.each([
    [400, -32_602],
    [500, -32_603],
  ])(
    'that answers %d with the error of the call is read, and stays connected',
    async (status, code) => {
      const server = await serve(({ id, method }, response) => {
        if (method !== 'tools/call') return undefined;
        const error = { code, message: 'There is no such order.' };
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
        return undefined;
      });
      const app = await start(server.url);
      const { error } = await app.call('x_who');
      expect(error).toMatchObject({ code: 'mcp_error', message: 'There is no such order.' });
      expect(app.clients.status()).toMatchObject([{ state: 'connected' }]);
    },
  );

  it.each([
    ['code', -32_000, 1],
    ['id', -32_603, null],
  ])('that forgot the session is connected again: known by the %s', async (_by, code, id) => {
    const server = await serve((message, response) => {
      if (message.method !== 'tools/call') return undefined;
      const error = { code, message: 'Session required' };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: id && message.id, error }));
      return undefined;
    });
    const app = await start(server.url);
    expect((await app.call('x_who')).error).toMatchObject({ code: 'temporarily_unavailable' });
    await app.clients.refresh('x');
    expect(server.of('initialize')).toHaveLength(2);
  });

  it('behind a gateway that lost it is connected again', async () => {
    const server = await serve(({ id, method }, response) => {
      if (method !== 'tools/call') return undefined;
      const error = { code: -32_603, message: 'upstream not available' };
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return undefined;
    });
    const app = await start(server.url);
    expect((await app.call('x_who')).error).toMatchObject({ code: 'temporarily_unavailable' });
    await app.clients.refresh('x');
    expect(server.of('initialize')).toHaveLength(2);
  });

  it('of an older revision may fail at the question for its revision', async () => {
    const server = await serve(({ method }, response) => {
      if (method === 'server/discover')
        response.writeHead(500).end('{"message":"Missing handler"}');
      return method === 'tools/call' ? textResult('done') : undefined;
    });
    const app = await start(server.url, { headers: () => ({}) });
    expect(await app.call('x_who')).toMatchObject({ content: 'done' });
  });

  it('gets no request of a caller whose headers cannot be made', async () => {
    const server = await serve();
    const app = await start(server.url, {
      headers: (ctx) => {
        if (ctx?.principal === 'alice') throw new Error('no vault for hunter2-hunter2');
        return { authorization: 'hunter2-hunter2' };
      },
    });
    await app.call('x_who', {}, { principal: 'bob' });
    const sent = server.messages.length;
    expect((await app.call('x_who', {}, { principal: 'alice' })).error).toEqual({
      code: 'mcp_headers_failed',
      message: 'The headers for the MCP server "x" could not be made.',
    });
    expect(server.messages).toHaveLength(sent);
    const log = app.log.lines.join('\n');
    expect(log).toContain('The function of "headers" failed.');
    expect(log).toContain('no vault for **');
    expect(log).not.toContain('hunter2');
    expect((await app.call('x_who', {}, { principal: 'bob' })).status).toBe('executed');
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [500, 'temporarily_unavailable'],
  ])('that answers %i to a caller who connects can be called again', async (status, code) => {
    let isRefusing = true;
    const server = await serve((message, response, received) => {
      if (received.headers.authorization !== 'alice' || !isRefusing)
        return tellsCaller(message, response, received);
      response.writeHead(status).end();
      return undefined;
    });
    const app = await start(server.url, {
      headers: (ctx) => ({ authorization: ctx?.principal ?? 'module' }),
    });
    const alice = { principal: 'alice' };
    expect((await app.call('x_who', {}, alice)).error).toMatchObject({ code });
    isRefusing = false;
    expect((await app.call('x_who', {}, alice)).status).toBe('executed');
  });

  it('whose result does not fit its own schema is named in the log, once', async () => {
    const server = await serve(({ method }) =>
      method === 'tools/call'
        ? {
            content: [{ type: 'text', text: 'two' }],
            structuredContent: { count: 'two' },
          }
        : undefined,
    );
    const properties = { count: { type: 'integer' } };
    const outputSchema = { type: 'object' as const, properties };
    server.tools = [{ name: 'who', description: 'Count', inputSchema: EMPTY_INPUT, outputSchema }];
    const app = await start(server.url);
    for (let time = 0; time < 2; time += 1) {
      expect(await app.call('x_who')).toMatchObject({ status: 'executed', content: 'two' });
    }
    const told = app.log.lines.filter((line) => line.includes('does not fit its outputSchema'));
    expect(told).toHaveLength(1);
  });

  it('has its credentials neither in the log nor in an error', async () => {
    const server = await serve(({ method }, _response, { headers, url }) =>
      method === 'tools/call'
        ? { error: { code: -32_000, message: `No ${headers.authorization} at ${url}` } }
        : undefined,
    );
    const secret = 'hunter2-hunter2';
    const app = await start(`${server.url}?read-only&key=query%2F${secret}`, {
      headers: () => ({ authorization: `Bearer header-${secret}` }),
    });
    const { error } = await app.call('x_who', {}, { principal: 'alice' });
    expect(error?.message).toMatch(/No \*\*\* .*read-only/);
    await server.close();
    await app.call('x_who', {}, { principal: 'alice' });
    await app.clients.refresh('x').catch(() => undefined);
    expect(error?.message).not.toContain('hunter2');
    expect(app.log.lines.join('\n')).toContain('McpClient x');
    expect(app.log.lines.join('\n')).not.toContain('hunter2');
  });
});
