import type { Server } from 'node:http';
import { Logger } from '@nestjs/common';
import { ToolCallFactory } from 'nestjs-agent';
import request from 'supertest';
import {
  callerStore,
  IdentityController,
  RelayController,
  RequestUser,
  TokenGuard,
} from './route-tools/identity.controller';
import {
  type AdapterName,
  RouteToolApplication,
  type RouteToolSetup,
} from './route-tools/route-tool-application';
import { SELF_SIGNED } from './route-tools/self-signed';

interface ShownRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly secure?: boolean;
  readonly connection: {
    readonly isEncrypted: boolean;
    readonly tls: string | null;
    readonly local: readonly [address: string, port: number];
  };
}

function start(adapter: AdapterName, setup: Partial<RouteToolSetup> = {}) {
  return RouteToolApplication.start({
    adapter,
    controllers: [IdentityController, RelayController],
    providers: [RequestUser, TokenGuard],
    options: { forwardHeaders: ['X-Tenant', /^x-feature-/i, 'connection', 'host', /^content-/] },
    ...setup,
  });
}

describe.each<AdapterName>(['express', 'fastify'])('a route call on %s', (adapter) => {
  let tools: RouteToolApplication;
  let server: Server;

  beforeAll(async () => {
    tools = await start(adapter);
    if (adapter === 'fastify') await tools.app.getHttpAdapter().getInstance().ready();
    server = tools.app.getHttpServer();
  });

  afterAll(() => tools.close());

  const shown = async (headers: Record<string, string>): Promise<ShownRequest> => {
    const response = await request(server).post('/relay/request').set(headers).send({}).expect(201);
    return response.body as ShownRequest;
  };

  it('carries who the caller is, and the headers that were listed', async () => {
    const carried = {
      authorization: 'Bearer alice',
      cookie: 'sid=1; theme=dark',
      'accept-language': 'de',
      'x-request-id': 'r-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
      'x-tenant': 'acme',
      'x-feature-new': 'on',
    };
    expect((await shown(carried)).headers).toMatchObject(carried);
  });

  it('carries nothing else', async () => {
    const { headers } = await shown({
      'x-secret': '1',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'https',
      'x-http-method-override': 'DELETE',
      'if-none-match': '"1"',
      range: 'bytes=0-1',
      'accept-encoding': 'gzip',
      'idempotency-key': 'mine',
      host: 'evil.test',
      origin: 'https://evil.test',
    });
    expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host', 'x-agent-depth']);
    expect(headers.host).toBe('localhost');
  });

  it('comes from the caller’s address', async () => {
    const { ip, protocol } = await shown({ 'x-forwarded-for': '1.2.3.4' });
    expect(ip.replace('::ffff:', '')).toBe('127.0.0.1');
    expect(protocol).toBe('http');
  });

  it('never mixes callers up', async () => {
    const users = Array.from({ length: 20 }, (_, user) => `user-${user}`);
    const calls = Array.from({ length: 200 }, (_, nonce) => ({
      user: users[nonce % users.length] ?? '',
      nonce: String(nonce),
    }));
    const answers = await Promise.all(
      calls.map(async ({ user, nonce }) => {
        const chatRequest = { headers: { authorization: `Bearer ${user}` }, ip: '203.0.113.7' };
        return tools.result('who_am_i', { nonce }, chatRequest);
      }),
    );
    expect(answers).toEqual(
      calls.map(({ user, nonce }) => ({ guard: user, provider: user, nonce })),
    );
  });

  it('is answered from the cache for the same credentials, headers and address only', async () => {
    const alice = { authorization: 'Bearer alice', 'x-tenant': 'acme' };
    const ask = async (headers: object, ip = '203.0.113.7'): Promise<unknown> => {
      const { response } = await tools.app
        .get(ToolCallFactory)
        .create('my_tenant', {}, { principal: 'alice', request: { headers, ip } });
      const { result, error } = await response.execute();
      return error?.code ?? result;
    };
    const first = await ask(alice);
    expect(first).toMatchObject({ tenant: 'acme' });
    expect(await ask({ ...alice, 'x-request-id': '2', 'x-other': '1' })).toEqual(first);
    expect(await ask({ ...alice, 'x-tenant': 'globex' })).toMatchObject({ tenant: 'globex' });
    expect(await ask({ ...alice, authorization: 'Bearer alice2' })).not.toEqual(first);
    expect(await ask(alice, '203.0.113.8')).not.toEqual(first);
    expect(await ask({ 'x-tenant': 'acme' })).toBe('unauthorized');
    expect(await ask(alice)).toEqual(first);
  });

  it('without credentials is refused by the guard, and the model hears of it', async () => {
    const { error } = await tools.call('who_am_i', { nonce: '1' }, { headers: {} });
    expect(error).toMatchObject({ code: 'unauthorized' });
    expect((await tools.call('who_am_i', { nonce: '1' })).error).toMatchObject({
      code: 'unauthorized',
    });
  });

  it('is told of in the log, once, where headers that its guard may read were not forwarded', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const fresh = await start(adapter);
    const warnings = async (headers?: Record<string, string>) => {
      warn.mockClear();
      const input = { nonce: 'a secret' };
      const { error } = await fresh.call('who_am_i', input, headers && { headers });
      expect(error).toMatchObject({ code: 'unauthorized' });
      return warn.mock.calls.map(([text]) => String(text));
    };
    const common = { accept: '*/*', 'user-agent': 'curl', origin: 'https://shop.test' };
    const [told, ...others] = await warnings({ ...common, 'X-Api-Key': 'k-1', 'x-tenant': 'acme' });
    expect(others).toEqual([]);
    expect(told).toMatch(/^GET \/identity\/me\/:nonce answered 401 to the tool "who_am_i"\. /);
    expect(told).toContain('Not forwarded from the chat request: x-api-key. If');
    expect(told).toContain('"forwardHeaders"');
    expect(told).not.toMatch(/k-1|acme|secret/);
    expect(await warnings({ 'x-api-key': 'k-1' })).toEqual([]);
    await fresh.close();
    warn.mockRestore();
  });

  it.each([
    ['had neither token nor cookie', { headers: {} }, /neither an Authorization header nor/],
    ['there was none', undefined, /without a chat request/],
  ])('is told of in the log where the chat request %s', async (_, chatRequest, reason) => {
    const fresh = await start(adapter);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await fresh.call('who_am_i', { nonce: '1' }, chatRequest);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(reason)]]);
    await fresh.close();
    warn.mockRestore();
  });

  it('without a chat request comes from nowhere, not from here', async () => {
    const { ip } = (await tools.result('show_request')) as { ip?: string };
    expect(ip ?? 'none').toBe('none');
  });

  it('is encrypted where the chat request was', async () => {
    const seen = await tools.result(
      'show_request',
      {},
      { headers: {}, protocol: 'https', ip: '203.0.113.7' },
    );
    expect(seen).toMatchObject({ protocol: 'https', ip: '203.0.113.7' });
  });

  it('carries headers as large as the application takes', async () => {
    const authorization = `Bearer ${'x'.repeat(40_000)}`;
    const call = async (application: RouteToolApplication) =>
      (await application.call('who_am_i', { nonce: '1' }, { headers: { authorization } })).error;
    expect(await call(tools)).toMatchObject({ message: '431 Request Header Fields Too Large' });
    const generous = await start(adapter, { https: { ...SELF_SIGNED, maxHeaderSize: 65_536 } });
    expect(await call(generous)).toBeUndefined();
    await generous.close();
  });

  it('ends an agent that reaches itself', async () => {
    const { body } = await request(server).get('/relay/again').expect(200);
    expect(body).toEqual({
      depth: 'none',
      inner: {
        depth: '1',
        inner: {
          depth: '2',
          inner: { depth: '3', inner: { error: expect.stringContaining('reached itself') } },
        },
      },
    });
  });

  it('ends an agent that reaches itself without handing its request on', async () => {
    const { body } = await request(server).get('/relay/alone').expect(200);
    const stopped = { error: expect.stringContaining('reached itself') };
    const inner = [3, 2, 1].reduce<object>((next, n) => ({ depth: `${n}`, inner: next }), stopped);
    expect(body).toEqual({ depth: 'none', inner });
    // Nothing of it is left behind.
    expect(await tools.call('show_context')).toMatchObject({ status: 'executed' });
  });

  it.each(['-1', 'x', '3', ''])('is stopped for a caller that claims depth %j', async (depth) => {
    const { error } = await tools.call('show_context', {}, { headers: { 'x-agent-depth': depth } });
    expect(error?.message).toContain('reached itself');
  });
});

it.each<AdapterName>(['express', 'fastify'])(
  'a route call on %s sees no async context: of no caller, not even the first one, nor of the boot',
  async (adapter) => {
    const tools = await callerStore.run('who started the application', () => start(adapter));
    const show = () => tools.result('show_context');
    expect(await callerStore.run('the first', show)).toEqual({ caller: null });
    expect(await show()).toEqual({ caller: null });
    expect(await callerStore.run('another', show)).toEqual({ caller: null });
    await tools.close();
  },
);

describe.each<AdapterName>(['express', 'fastify'])(
  'the connection of a route call on %s',
  (adapter) => {
    /** The same route, asked directly and through the agent by the same client. */
    const both = async (
      setup: Partial<RouteToolSetup>,
      headers: Record<string, string> = {},
    ): Promise<readonly [direct: ShownRequest, relayed: ShownRequest]> => {
      const tools = await start(adapter, setup);
      await tools.app.listen(0, '127.0.0.1');
      const server = tools.app.getHttpServer() as Server;
      const agent = request.agent(server, { rejectUnauthorized: false });
      const direct = await agent.get('/identity/request').set(headers).expect(200);
      const relayed = await agent.post('/relay/request').set(headers).send({}).expect(201);
      await tools.close();
      return [direct.body as ShownRequest, relayed.body as ShownRequest];
    };

    const connectionOf = ({ ip, protocol, secure, connection }: ShownRequest) => ({
      ip,
      protocol,
      secure,
      connection,
    });

    it('is plain where the client’s is', async () => {
      const [direct, relayed] = await both({});
      expect(connectionOf(relayed)).toEqual(connectionOf(direct));
      expect(relayed).toMatchObject({ protocol: 'http', connection: { isEncrypted: false } });
      expect(relayed.connection.local).toEqual(['127.0.0.1', expect.any(Number)]);
    });

    it('is TLS where the client’s is', async () => {
      const [direct, relayed] = await both({ https: SELF_SIGNED });
      expect(connectionOf(relayed)).toEqual(connectionOf(direct));
      expect(relayed).toMatchObject({
        protocol: 'https',
        connection: { isEncrypted: true, tls: 'TLSv1.3' },
      });
      if (adapter === 'express') expect(relayed.secure).toBe(true);
    });

    const viaProxy = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };

    it('is the client’s behind a trusted proxy', async () => {
      const [direct, relayed] = await both({ trustProxy: 'loopback' }, viaProxy);
      const seen = ({ ip, protocol, secure }: ShownRequest) => ({ ip, protocol, secure });
      expect(seen(relayed)).toEqual(seen(direct));
      expect(relayed).toMatchObject({ ip: '203.0.113.9', protocol: 'https' });
    });

    it('is the proxy’s where that is not trusted', async () => {
      const [direct, relayed] = await both({}, viaProxy);
      expect(connectionOf(relayed)).toEqual(connectionOf(direct));
      expect(relayed).toMatchObject({ protocol: 'http' });
    });
  },
);
