import { once } from 'node:events';
import { ADAPTERS } from './http/agent-app';
import { compressAll, wraps } from './http/surroundings';
import { McpClosers, type McpAppOptions } from './mcp/mcp-app';
import { MCP_CLIENTS, textOfResult } from './mcp/mcp-client';
import { McpRequests } from './mcp/mcp-requests';
import { Work } from './mcp/shop';

const METADATA = '/.well-known/oauth-protected-resource';
const AUTH = {
  resource: 'https://shop.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  scopes: ['orders'],
};

describe.each(ADAPTERS)('an MCP server in an application on %s', (adapter) => {
  const closers = new McpClosers();
  afterEach(() => closers.close());

  async function setUp(options: Omit<McpAppOptions, 'adapter'> = {}) {
    const shop = await closers.app({ adapter, ...options });
    return { ...shop, requests: new McpRequests(shop.mcp, 'alice') };
  }

  it('stands below the global prefix', async () => {
    const { url } = await setUp({ prepare: (app) => app.setGlobalPrefix('api') });
    for (const kind of MCP_CLIENTS) {
      const client = await closers.client(kind.connect(`${url}/api/mcp`, { user: 'alice' }));
      expect(textOfResult(await client.call('add', { a: 2, b: 3 }))).toBe('5');
      const order = await client.call('find_order', { id: 7 });
      expect(JSON.parse(textOfResult(order))).toEqual({ id: 7, owner: 'alice' });
    }
  });

  it('answers in its own form below an interceptor that wraps all answers', async () => {
    const { mcp } = await setUp({
      prepare: (app) => app.useGlobalInterceptors(wraps),
    });
    for (const kind of MCP_CLIENTS) {
      const client = await closers.client(kind.connect(mcp, { user: 'alice' }));
      expect((await client.listTools()).tools.length).toBeGreaterThan(5);
      expect(await client.call('add', { a: 2, b: 3 })).toMatchObject({
        content: [{ type: 'text' }],
      });
    }
  });

  it('is compressed, and its progress is not held back', async () => {
    const { mcp, requests, work } = await setUp({ prepare: compressAll });
    const list = await requests.modern('tools/list');
    expect(list.headers.get('content-encoding')).toBeTruthy();
    expect(await list.json()).toMatchObject({ result: { resultType: 'complete' } });
    for (const kind of MCP_CLIENTS) {
      const client = await closers.client(kind.connect(mcp, { user: 'alice' }));
      let call: Promise<unknown> = Promise.resolve();
      await new Promise<void>((resolve) => {
        call = client.call('report', {}, { onprogress: () => resolve() });
      });
      work.emit('go');
      expect(await call).toMatchObject({ content: [{ text: 'reported' }] });
    }
  });

  it('answers the preflights and requests of pages of allowed origins', async () => {
    const origin = 'https://app.example.com';
    const { mcp, requests } = await setUp({
      server: { allowedOrigins: [origin] },
      prepare: (app) => app.enableCors({ origin }),
    });
    const preflight = await fetch(mcp, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-method',
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    const listed = await requests.modern('tools/list', {}, { origin });
    expect(listed.status).toBe(200);
    expect(listed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(
      (await requests.modern('tools/list', {}, { origin: 'https://evil.example' })).status,
    ).toBe(403);
  });

  it('takes a body of 150 kB', async () => {
    const { mcp } = await setUp();
    const text = 'a'.repeat(150_000);
    for (const kind of MCP_CLIENTS) {
      const client = await closers.client(kind.connect(mcp, { user: 'alice' }));
      expect(textOfResult(await client.call('count_characters', { text }))).toBe('150000');
    }
  });

  it('leads a client without a token to the authorization server', async () => {
    const { mcp, url } = await setUp({ server: { auth: AUTH } });
    const refused = await new McpRequests(mcp).modern('tools/list');
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer /);
    expect(challenge).toContain('scope="orders"');
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    expect(address).toBe(`https://shop.example.com${METADATA}/mcp`);
    for (const path of [new URL(address).pathname, METADATA]) {
      // The document that names the authorization server needs no log-in.
      const document = await fetch(`${url}${path}`);
      expect(document.status).toBe(200);
      expect(await document.json()).toMatchObject({
        resource: AUTH.resource,
        authorization_servers: AUTH.authorizationServers,
        scopes_supported: AUTH.scopes,
      });
    }
  });

  it.each(["/tenants/a:b/(v1)/it's*/{x}/mcp+", '/a place/mcp/', '/läden/mcp?tenant=1'])(
    'leads to the authorization server of the resource %s',
    async (path) => {
      const resource = `https://shop.example.com${path}`;
      const { mcp, url } = await setUp({ server: { auth: { ...AUTH, resource } } });
      const refused = await new McpRequests(mcp).modern('tools/list');
      const challenge = refused.headers.get('www-authenticate') ?? '';
      const [, address = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
      // A client that reads no challenge inserts the well-known path before the resource's own.
      for (const named of [new URL(address).pathname, METADATA + new URL(resource).pathname]) {
        const document = await fetch(`${url}${named}`);
        expect(document.status).toBe(200);
        expect(await document.json()).toMatchObject({ resource });
      }
    },
  );

  it('lets pages of any origin read its metadata, though the endpoint has no CORS', async () => {
    const { url } = await setUp({ server: { auth: AUTH } });
    const preflight = await fetch(`${url}${METADATA}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:6274',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*');
    expect((await fetch(`${url}${METADATA}/mcp`, { method: 'HEAD' })).status).toBe(200);
    for (const other of [`${METADATA}/mcp`, METADATA]) {
      expect((await fetch(`${url}${other}`, { method: 'POST' })).status).toBe(404);
    }
    expect((await fetch(`${url}${METADATA}/other`)).status).toBe(404);
  });

  it('closes while streams are open', async () => {
    const { app, requests } = await setUp({ forceCloseConnections: false });
    const subscription = await requests.modern('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const listening = await requests.listen();
    expect([subscription.status, listening.status]).toEqual([200, 200]);
    const texts = Promise.all([subscription.text(), listening.text()]);
    await app.close();
    const [modern] = await texts;
    // The subscription ends with a result, so the client does not take the end for a failure.
    expect(modern).toMatch(/"result":\{/);
  });

  it('goes on with a call of an older client that disconnects', async () => {
    const { requests, work } = await setUp({
      prepare: (app) =>
        app.use((_: unknown, response: NodeJS.EventEmitter, next: () => void) => {
          response.once('close', () => app.get(Work).emit('disconnected'));
          next();
        }),
    });
    const abort = new AbortController();
    const progress = await requests.legacy(
      'tools/call',
      { name: 'report', arguments: {}, _meta: { progressToken: 1 } },
      {},
      abort.signal,
    );
    expect(progress.status).toBe(200);
    const disconnected = once(work, 'disconnected');
    abort.abort();
    await disconnected;
    expect(work.listenerCount('go')).toBe(1);
    work.emit('go');
  });
});
