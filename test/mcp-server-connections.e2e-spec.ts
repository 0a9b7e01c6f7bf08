import { once } from 'node:events';
import { connect } from 'node:net';
import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  UseGuards,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { ToolRegistry } from 'nestjs-agent';
import { InsufficientScopeException } from 'nestjs-agent/mcp';
import { ADAPTERS, LoginGuard } from './http/agent-app';
import { answerOf, messagesOf, RpcClient } from './mcp/server/rpc-client';
import { serverApps, type ServerApp, waitFor } from './mcp/server/server-app';

const RESOURCE = 'https://shop.example/api/mcp';
const AUTH = {
  resource: RESOURCE,
  authorizationServers: ['https://login.example'],
  scopes: ['orders', 'profile'],
};

const started = serverApps();

@Injectable()
class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (headers['x-refuse'] === 'scope') throw new InsufficientScopeException(['orders"\r\nx: y']);
    if (headers['x-refuse'] === 'token') throw new UnauthorizedException('It has expired.');
    if (headers['x-refuse'] === 'plain') throw new ForbiddenException('Not you.');
    return true;
  }
}

/** What many applications have: every answer in an envelope. */
class EnvelopeInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

describe.each(ADAPTERS)('the MCP endpoint on %s', (adapter) => {
  const listen = (
    { client }: ServerApp,
    notifications: object = { toolsListChanged: true, promptsListChanged: true },
    options = {},
  ): Promise<Response> =>
    client.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'sub',
        method: 'subscriptions/listen',
        params: {
          notifications,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
      {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
        ...options,
      },
    );
  const register = ({ app }: ServerApp, name: string): unknown =>
    app
      .get(ToolRegistry)
      .register({ name, description: 'New', input_schema: { type: 'object' } }, () => name);

  it('acknowledges first, tells of changes once, and ends with a result', async () => {
    const served = await started({ adapter });
    const stream = messagesOf(await listen(served));
    const tag = { 'io.modelcontextprotocol/subscriptionId': 'sub' };

    expect((await stream.next()).value).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { toolsListChanged: true }, _meta: tag },
    });
    for (let count = 0; count < 50; count += 1) register(served, `new_${count}`);
    expect((await stream.next()).value).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: tag },
    });
    const closing = served.app.close();
    expect((await stream.next()).value).toMatchObject({
      id: 'sub',
      result: { resultType: 'complete', _meta: tag },
    });
    expect((await stream.next()).done).toBe(true);
    await closing;
  });

  it('tells older clients on the GET stream, which ends with the application', async () => {
    const served = await started({ adapter });
    const response = await served.client.send(
      undefined,
      { headers: { 'content-type': undefined } },
      'GET',
    );
    const stream = messagesOf(response);
    register(served, 'newcomer');

    expect((await stream.next()).value).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    });
    const closing = served.app.close();
    expect((await stream.next()).done).toBe(true);
    await closing;
  });

  it('sends nothing that was not asked for', async () => {
    const served = await started({ adapter });
    const quiet = messagesOf(await listen(served, {}));
    const loud = messagesOf(await listen(served));
    expect((await quiet.next()).value).toMatchObject({ params: { notifications: {} } });
    await loud.next();
    register(served, 'newcomer');
    await loud.next();
    const closing = served.app.close();

    expect((await quiet.next()).value).toMatchObject({ result: { resultType: 'complete' } });
    await closing;
  });

  it('has no streams without listChanged', async () => {
    const served = await started({ adapter, server: { listChanged: false } });
    const get = await served.client.send(
      undefined,
      { headers: { 'content-type': undefined } },
      'GET',
    );
    const heard = await answerOf(await listen(served));
    const { result } = await served.client.modern('server/discover');

    expect([get.status, heard.status]).toEqual([405, 404]);
    expect(get.headers.get('allow')).toBe('POST');
    expect(heard.error?.code).toBe(-32_601);
    expect(result?.['capabilities']).toEqual({ tools: {} });
  });

  it('bounds streams for each principal, and gives places back', async () => {
    const served = await started({ adapter, server: { limits: { streamsPerPrincipal: 2 } } });
    const leaving = new AbortController();
    await listen(served, {}, { signal: leaving.signal });
    await listen(served);
    const third = await answerOf(await listen(served));
    const bob = await listen(served, {}, { user: 'bob' });

    expect([third.status, third.error?.code]).toEqual([429, -32_603]);
    expect(bob.status).toBe(200);
    leaving.abort();
    while ((await listen(served)).status !== 200);
  });

  it('stops a modern call when its client disconnects', async () => {
    const served = await started({ adapter });
    const leaving = new AbortController();
    const call = served.client.modern(
      'tools/call',
      { name: 'wait', arguments: { name: 'modern' } },
      { signal: leaving.signal },
    );
    await waitFor(() => served.journal.lines.includes('waiting modern'));
    leaving.abort();
    await expect(call).rejects.toThrow();
    await waitFor(() => served.journal.aborted.includes('modern'));
    await waitFor(() => served.audit.length > 0);
    expect(served.audit).toMatchObject([{ tool: 'wait', outcome: 'interrupted' }]);
  });

  it('stops an older call when its own client cancels it, and nobody else', async () => {
    const served = await started({ adapter });
    const session = { headers: { 'mcp-session-id': 'n-1' } };
    const cancel = (requestId: unknown, options: object): Promise<Response> =>
      served.client.send(
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId },
        }),
        options,
      );
    const call = served.client.legacy(
      'tools/call',
      { name: 'wait', arguments: { name: 'legacy' } },
      { id: 77, ...session },
    );
    await waitFor(() => served.journal.lines.includes('waiting legacy'));
    await cancel(77, { ...session, user: 'bob' });
    await cancel(77, { headers: { 'mcp-session-id': 'n-2' } });
    await cancel('77', session);
    await cancel(78, session);
    expect(served.journal.aborted).toEqual([]);

    await cancel(77, session);
    expect((await call).result).toMatchObject({ isError: true });
    expect(served.journal.aborted).toEqual(['legacy']);
  });

  it('lets an older call go on when its client disconnects', async () => {
    const served = await started({ adapter });
    const leaving = new AbortController();
    const call = served.client.legacy(
      'tools/call',
      { name: 'wait', arguments: { name: 'kept' } },
      { id: 5, signal: leaving.signal },
    );
    await waitFor(() => served.journal.lines.includes('waiting kept'));
    leaving.abort();
    await expect(call).rejects.toThrow();
    await served.client.modern('tools/list');

    expect(served.journal.aborted).toEqual([]);
    const other = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
    await served.client.send(JSON.stringify(other));
    await waitFor(() => served.journal.aborted.includes('kept'));
  });

  it('bounds calls for each principal', async () => {
    const served = await started({ adapter, server: { limits: { callsPerPrincipal: 2 } } });
    const leaving = new AbortController();
    const calls = ['one', 'two'].map((name) =>
      served.client
        .modern('tools/call', { name: 'wait', arguments: { name } }, { signal: leaving.signal })
        .catch(() => undefined),
    );
    await waitFor(() => served.journal.lines.length === 2);
    const third = await served.client.modern('tools/call', {
      name: 'add',
      arguments: { a: 1, b: 1 },
    });
    const bob = await served.client.modern(
      'tools/call',
      { name: 'add', arguments: { a: 1, b: 1 } },
      { user: 'bob' },
    );

    expect([third.status, third.error?.code]).toEqual([429, -32_603]);
    expect(bob.status).toBe(200);
    leaving.abort();
    await Promise.all(calls);
  });

  it('challenges clients without a token, and with too few scopes', async () => {
    const served = await started({
      adapter,
      server: { auth: AUTH, decorators: [UseGuards(LoginGuard, ScopeGuard)] },
    });
    const { client } = served;
    const none = await client.legacy('initialize', {}, { user: null });
    const old = await client.modern('tools/list', {}, { headers: { 'x-refuse': 'token' } });
    const scope = await client.modern('tools/list', {}, { headers: { 'x-refuse': 'scope' } });
    const plain = await client.modern('tools/list', {}, { headers: { 'x-refuse': 'plain' } });
    const metadata = 'https://shop.example/.well-known/oauth-protected-resource/api/mcp';

    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", scope="orders profile"`,
    ]);
    expect(none).toMatchObject({ id: 1, error: { message: 'Unauthorized' } });
    expect([old.status, old.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", error="invalid_token", scope="orders profile"`,
    ]);
    expect([scope.status, scope.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer resource_metadata="${metadata}", error="insufficient_scope", scope="ordersx: y"`,
    ]);
    expect([plain.status, plain.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(plain.error?.message).toBe('Not you.');
  });

  it('serves its metadata outside prefix and guards, whatever the Host says', async () => {
    const served = await started({
      adapter,
      server: { auth: AUTH },
      more: [{ path: 'second', auth: { ...AUTH, resource: 'https://shop.example/second' } }],
      prepare: (app) => app.setGlobalPrefix('api'),
    });
    const read = async (path: string): Promise<unknown> => {
      const response = await fetch(`${served.url}/.well-known/oauth-protected-resource${path}`, {
        headers: { host: 'evil.example' },
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      return response.json();
    };
    const document = {
      resource: RESOURCE,
      authorization_servers: ['https://login.example'],
      scopes_supported: ['orders', 'profile'],
      bearer_methods_supported: ['header'],
    };

    expect(await read('/api/mcp')).toEqual(document);
    expect(await read('')).toEqual(document);
    expect(await read('/second')).toMatchObject({ resource: 'https://shop.example/second' });
  });

  it('answers without envelope, under a global prefix, and to several servers of one application', async () => {
    const served = await started({
      adapter,
      server: { tools: { include: ['*order*'], exclude: ['delete_*'] } },
      more: [{ path: 'extras', tools: { include: ['grouped'], groups: ['extras'] } }],
      prepare: (app) => {
        app.setGlobalPrefix('api');
        app.useGlobalInterceptors(new EnvelopeInterceptor());
      },
    });
    const [orders, extras] = ['mcp', 'extras'].map(
      (path) => new RpcClient(`${served.url}/api/${path}`),
    );
    const names = async (client?: RpcClient): Promise<readonly string[]> => {
      const answer = await client?.modern('tools/list');
      return (answer?.result?.['tools'] as { name: string }[]).map(({ name }) => name);
    };

    expect(await names(orders)).toEqual(['get_order', 'place_order']);
    expect(await names(extras)).toEqual(['grouped']);
    const other = await extras?.modern('tools/call', { name: 'add', arguments: { a: 1, b: 1 } });
    expect(other?.error?.code).toBe(-32_602);
    expect((await extras?.modern('tools/call', { name: 'grouped' }))?.result).toMatchObject({
      // An interceptor of the application holds for tools of providers as for routes.
      content: [{ text: '{"data":"grouped"}' }],
    });
  });

  it('answers a connection that sends half a request and waits', async () => {
    const served = await started({ adapter });
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer alice\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"jsonrpc"',
    );
    expect((await served.client.modern('tools/list')).status).toBe(200);
    socket.destroy();
  });
});
