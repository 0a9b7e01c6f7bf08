import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { JwtService } from '@nestjs/jwt';
import { GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';
import { FleetModule } from './fleet.module';
import { HostsModule } from './headers-of-body.module';
import { KEY, OauthModule } from './oauth.module';
import { SeveralModule } from './several.module';

const TEXT = guideText('mcp-server');
const IDENTITY = { name: 'host', version: '1.0.0' };

function read(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

/** A host that its user has logged in; without answers it cannot ask them. */
async function connect(
  url: string,
  headers: Readonly<Record<string, string>>,
  isModern = true,
  answers?: 'accept' | 'decline',
) {
  const questions: string[] = [];
  const client = new Client(IDENTITY, {
    versionNegotiation: { mode: isModern ? 'auto' : 'legacy' },
    capabilities: { ...(answers && { elicitation: {} }) },
  });
  if (answers) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: answers, ...(answers === 'accept' && { content: { approve: true } }) };
    });
  }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [block] = content;
    return { text: block?.type === 'text' ? block.text : '', isError: isError === true };
  };
  return { call, client, close: () => client.close(), names, questions };
}

const as = (user: string) => ({ authorization: `Bearer ${user}` });

describe('the guide to the MCP server', () => {
  let guide: GuideApp;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));
  afterAll(() => guide.close());

  const opened = async <Thing extends { close(): Promise<void> }>(making: Promise<Thing>) => {
    const thing = await making;
    open.push(thing);
    return thing;
  };
  const host = (...args: Parameters<typeof connect>) => opened(connect(...args));

  it('serves each user their own orders, and needs no agent and no model', async () => {
    for (const [user, id] of [
      ['ada', 17],
      ['grace', 18],
    ] as const) {
      const { call, names } = await host(`${guide.url}/mcp`, as(user));
      expect(await names()).toEqual(['list_orders', 'cancel_order']);
      expect((await call('list_orders')).text).toContain(`"id":${id}`);
    }
    expect((await guide.get('/agent/health')).status).toBe(404);
    expect(guide.model.requests).toEqual([]);
  });

  it('answers curl, and refuses everybody else', async () => {
    const command = read('list.sh').replace('http://127.0.0.1:3000', guide.url);
    const ask = async (line: string) => {
      const { stdout } = await promisify(execFile)('sh', ['-c', line]);
      return JSON.parse(stdout) as object;
    };
    expect(await ask(command)).toMatchObject({
      result: { tools: [{ name: 'list_orders', title: 'List orders' }, { name: 'cancel_order' }] },
    });
    expect(await ask(command.replace('Bearer ada', 'Bearer eve'))).toMatchObject({
      error: { message: 'Forbidden resource' },
    });
  });

  it.each([
    'claude-code.json',
    'claude-desktop.json',
    'cursor.json',
    'vs-code.json',
    'windsurf.json',
    'gemini.json',
  ])('shows a configuration that leads to the endpoint: %s', async (name) => {
    const { url, authorization } = destinationIn(read(name));
    const { names } = await host(url.replace('http://127.0.0.1:3000', guide.url), {
      authorization,
    });
    expect(await names()).toContain('list_orders');
  });

  it.each([true, false])(
    'asks the user of a host before it cancels (modern: %s)',
    async (isModern) => {
      const { call, questions } = await host(`${guide.url}/mcp`, as('ada'), isModern, 'accept');
      expect(await call('cancel_order', { id: 17 })).toMatchObject({ isError: false });
      expect(questions).toHaveLength(1);
      expect(TEXT).toContain((questions[0] ?? '').replaceAll(/\s+/g, ' '));
      const other = await host(`${guide.url}/mcp`, as('ada'), isModern, 'decline');
      expect(await other.call('cancel_order', { id: 17 })).toMatchObject({ isError: true });
    },
  );

  it('quotes what a host reads that cannot ask', async () => {
    const legacy = await host(`${guide.url}/mcp`, as('ada'), false);
    const { text, isError } = await legacy.call('cancel_order', { id: 17 });
    expect(isError).toBe(true);
    expect(TEXT).toContain(text);
    const modern = await host(`${guide.url}/mcp`, as('ada'));
    const refusal: unknown = await modern.call('cancel_order', { id: 17 }).catch((error) => error);
    expect(refusal).toMatchObject({ code: -32021 });
    expect(TEXT).toContain('-32021');
  });

  it('serves resources and prompts', async () => {
    const { client } = await host(`${guide.url}/mcp`, as('ada'));
    const order = await client.readResource({ uri: 'orders://17' });
    expect(order.contents).toMatchObject([{ text: expect.stringContaining('shipped') as string }]);
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([{ name: 'answer_complaint', title: 'Answer a complaint' }]);
    const { messages } = await client.getPrompt({
      name: 'answer_complaint',
      arguments: { customer: 'Grace' },
    });
    expect(messages).toMatchObject([
      { content: { text: 'Draft a friendly answer to the complaint of Grace.' } },
      { content: { text: 'Sign it as ada.' } },
    ]);
  });

  it('selects tools and approvals per server', async () => {
    const app = await opened(GuideApp.start(SeveralModule));
    expect(await (await host(`${app.url}/mcp/readers`, as('ada'))).names()).toEqual([
      'list_orders',
    ]);
    const desktop = await host(`${app.url}/mcp/desktop`, as('ada'), false);
    expect(await desktop.call('cancel_order', { id: 17 })).toMatchObject({ isError: false });
  });

  it('takes an approval in another process of the fleet, once', async () => {
    const [first, second] = [
      await opened(GuideApp.start(FleetModule)),
      await opened(GuideApp.start(FleetModule)),
    ];
    const call = (app: GuideApp, params: object) =>
      app
        .post('/mcp', {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'cancel_order',
            arguments: { id: 17 },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
            },
            ...params,
          },
        })
        .set({
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'cancel_order',
        });
    const asked = (await call(first, {})).body as {
      result: { requestState: string; inputRequests: Record<string, unknown> };
    };
    const { requestState, inputRequests } = asked.result;
    const [question = ''] = Object.keys(inputRequests);
    const answer = {
      requestState,
      inputResponses: { [question]: { action: 'accept', content: { approve: true } } },
    };
    expect((await call(second, answer)).body).toMatchObject({
      result: { content: [{ text: '{"id":17,"status":"cancelled"}' }] },
    });
    expect((await call(first, answer)).status).toBe(400);
    expect((await first.get('/mcp')).status).toBe(405);
  });

  it('answers a host that sends headers of an older revision, with the middleware', async () => {
    const call = async ({ url }: GuideApp) => {
      const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
      const _meta = { ...version, 'io.modelcontextprotocol/clientCapabilities': {} };
      const params = { name: 'list_orders', arguments: {}, _meta };
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          ...as('ada'),
          'content-type': 'application/json',
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return (await answer.json()) as { result?: unknown; error?: unknown };
    };
    expect(await call(guide)).toMatchObject({ error: { code: -32_020 } });
    const hosts = await opened(GuideApp.start(HostsModule));
    expect(await call(hosts)).toMatchObject({ result: { resultType: 'complete' } });
  });

  it('is an OAuth resource', async () => {
    const app = await opened(GuideApp.start(OauthModule));
    const jwt = new JwtService({ secret: KEY });
    const token = (audience: string, scope: string) =>
      jwt.sign({ sub: 'ada', scope }, { issuer: 'https://login.example', audience });
    const ask = (bearer: string) =>
      app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, bearer);
    const mine = 'https://shop.example/mcp';

    expect((await ask(token(mine, 'openid orders'))).status).toBe(200);
    const refused = await ask(token('https://other.example', 'orders'));
    expect(refused.status).toBe(401);
    expect(TEXT).toContain(refused.headers['www-authenticate']);
    const poor = await ask(token(mine, 'openid'));
    expect(poor.status).toBe(403);
    expect(poor.headers['www-authenticate']).toContain('error="insufficient_scope"');
    const document = '/.well-known/oauth-protected-resource/mcp';
    expect(TEXT).toContain(document);
    expect((await app.get(document, 'nobody')).body).toMatchObject({ resource: mine });
  });
});

/** Where a host's configuration leads, and its header. */
function destinationIn(configuration: string): { url: string; authorization: string } {
  const { servers, mcpServers = servers } = JSON.parse(configuration) as {
    servers?: Record<string, object>;
    mcpServers?: Record<string, object>;
  };
  const shown = JSON.stringify(mcpServers?.['shop']);
  const url = /"(http:[^"]+)"/.exec(shown)?.[1];
  const authorization = /"(Bearer [^"]+)"/.exec(shown)?.[1];
  if (url === undefined || authorization === undefined) throw new Error(`No address: ${shown}`);
  return { url, authorization };
}
