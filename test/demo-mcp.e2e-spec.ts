import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { RunningDemo } from './support/demo/running-demo';

type Answer = 'accept' | 'decline';

describe('the demo and MCP', () => {
  let demo: RunningDemo;
  const clients: Client[] = [];
  beforeAll(async () => {
    demo = await RunningDemo.start();
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  afterAll(() => demo.close());

  /** A host that one of the users has logged in, and what it asked them. */
  async function host(user: string, answer: Answer = 'decline') {
    const token = await demo.login(user);
    const questions: string[] = [];
    const client = new Client(
      { name: 'host', version: '1.0.0' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
    );
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      questions.push(message);
      return { action: answer, ...(answer === 'accept' && { content: { approve: true } }) };
    });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const url = new URL('/mcp', demo.address);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    clients.push(client);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [block] = content;
      return { text: block?.type === 'text' ? block.text : '', isError: isError === true };
    };
    return { call, client, questions, token };
  }

  it('gives each user their own results', async () => {
    const [alice, bob] = [await host('alice'), await host('bob')];
    const [hers, his] = [
      await alice.call('list_applications'),
      await bob.call('list_applications'),
    ];

    expect(hers.text).toMatch(/demo-app[^]*test-service/);
    expect(hers.text).not.toContain('api-gateway');
    expect(his.text).toContain('api-gateway');
    expect(await alice.call('get_application', { name: 'api-gateway' })).toMatchObject({
      isError: true,
    });
  });

  it('lists the tools of the platform, and none of another server', async () => {
    const { client } = await host('alice');
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining(['list_applications', 'deploy_application', 'add']),
    );
    expect(names).not.toContain('get_weather');
    expect(client.getServerVersion()).toMatchObject({ name: 'platform' });
    expect(client.getInstructions()).toContain('developer platform');
  });

  it.each<[Answer, boolean]>([
    ['decline', false],
    ['accept', true],
  ])('asks before it deploys; an answer of "%s" deploys: %s', async (answer, isDeployed) => {
    const { call, questions, token } = await host('alice', answer);
    const result = await call('deploy_application', { name: 'demo-app', version: '2.5.0' });

    expect(questions).toEqual([expect.stringMatching(/deploy_application[^]*demo-app[^]*2\.5\.0/)]);
    expect(result.isError).toBe(!isDeployed);
    const { body } = await demo.request<{ version: string }>('GET', '/applications/demo-app', {
      token,
    });
    expect(body.version === '2.5.0').toBe(isDeployed);
  });

  it("leaves the decision to the application's own guards", async () => {
    const { call } = await host('alice', 'accept');
    const result = await call('delete_application', { name: 'demo-app' });

    expect(result).toMatchObject({ isError: true, text: expect.stringContaining('role admin') });
  });

  it('wants a log-in, for all messages', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

    expect(await demo.request('POST', '/mcp', { body })).toMatchObject({
      status: 401,
      body: { jsonrpc: '2.0', error: { message: expect.stringContaining('Log in first') } },
    });
    expect(await demo.request('POST', '/mcp', { body, token: 'a.b.c' })).toMatchObject({
      status: 401,
    });
    expect(await demo.request('GET', '/mcp')).toMatchObject({ status: 401 });
  });

  it('lets the agent call a tool of a foreign server', async () => {
    const token = await demo.login('alice');
    const { status, toolCalls } = await demo.chat(token, 'get the weather of location "Chicago"');

    expect(status).toBe('completed');
    expect(toolCalls).toMatchObject([
      {
        name: 'get_weather',
        input: { location: 'Chicago' },
        isError: false,
        output: expect.stringContaining('temperature'),
      },
    ]);
  });
});
