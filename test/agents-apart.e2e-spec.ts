import { type INestApplication, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import {
  AgentModule,
  AgentService,
  getAgentToken,
  getSessionsToken,
  type SessionService,
} from 'nestjs-agent';
import { ADAPTERS, BearerGuard } from './http/agent-app';
import { ScriptedModel } from 'nestjs-agent/testing';
import {
  agentsApp,
  type AgentsApp,
  type AgentsOptions,
  ArchiveTools,
  StaffGuard,
} from './agents/several-agents';

const alice = { authorization: 'Bearer alice' };
const staff = { authorization: 'Bearer staff-bob' };

describe.each(ADAPTERS)('several agents on %s', (adapter) => {
  let opened: INestApplication | undefined;
  const open = async (options: Omit<AgentsOptions, 'adapter'>): Promise<AgentsApp> => {
    const app = await agentsApp({ ...options, adapter });
    opened = app.app;
    return app;
  };
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  it('have endpoints, guards, tools, models and sessions of their own', async () => {
    const { url, models } = await open({
      steps: ['I am the first.'],
      features: [
        {
          name: 'archive',
          steps: ['I am the archive.'],
          decorators: [UseGuards(BearerGuard, StaffGuard)],
          tools: { include: ['toolkit:ArchiveTools'], exclude: ['*_burn'] },
          systemPrompt: 'You keep files.',
        },
      ],
    });
    const http = request(url);
    const first = await http.post('/agent/chat').set(staff).send({ message: 'hi' }).expect(200);
    expect(first.body).toMatchObject({ message: 'I am the first.' });
    await http.post('/archive/chat').set(alice).send({ message: 'hi' }).expect(403);
    const archive = await http.post('/archive/chat').set(staff).send({ message: 'hi' }).expect(200);
    expect(archive.body).toMatchObject({ message: 'I am the archive.' });
    expect(models['archive']?.requests[0]).toMatchObject({ system: 'You keep files.' });
    const names = async (path: string): Promise<readonly string[]> => {
      const { body } = await http.get(path).set(staff).expect(200);
      return (body as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('/archive/tools')).toEqual(['archive_find']);
    expect(await names('/agent/tools')).toEqual(
      expect.arrayContaining(['archive_find', 'archive_burn', 'read_note']),
    );

    // A session belongs to its agent: for the other agent it does not exist.
    const { sessionId, runId } = archive.body as { sessionId: string; runId: string };
    for (const path of [
      `/sessions/${sessionId}/messages`,
      `/runs/${runId}`,
      `/runs/${runId}/events`,
    ]) {
      await http.get(`/archive${path}`).set(staff).expect(200);
      await http.get(`/agent${path}`).set(staff).expect(404);
    }
    await http.delete(`/agent/sessions/${sessionId}`).set(staff).expect(404);
    await http.post('/agent/chat').set(staff).send({ message: 'x', sessionId }).expect(404);
    const listed = await http.get('/agent/sessions').set(staff).expect(200);
    expect((listed.body as { sessionId: string }[]).map((each) => each.sessionId)).toEqual([
      (first.body as { sessionId: string }).sessionId,
    ]);
    const models404 = await http.get('/archive/v1/models').set(staff).expect(200);
    expect(JSON.stringify(models404.body)).toContain('"archive"');
  });

  it('are injected by name, and no looser than the module', async () => {
    const { app, models } = await open({
      permissions: { 'archive_*': 'deny' },
      features: [
        { name: 'loose', permissions: { 'archive_*': 'allow' }, path: false },
        { name: 'strict', permissions: { read_note: 'deny' }, path: false },
      ],
    });
    const toolsOf = async (name: string): Promise<readonly string[]> =>
      (await app.get<AgentService>(getAgentToken(name)).tools({ principal: 'alice' })).map(
        (tool) => tool.name,
      );
    expect(await toolsOf('loose')).toEqual(['read_note', 'delete_note']);
    expect(await toolsOf('strict')).toEqual(['delete_note']);
    const agent = app.get<AgentService>(getAgentToken('loose'));
    models['loose']?.push('hello');
    await agent.chat({ message: 'hi' }, { principal: 'alice' });
    const sessions = app.get<SessionService>(getSessionsToken('loose'));
    expect(await sessions.list('alice')).toHaveLength(1);
    expect(await app.get<SessionService>(getSessionsToken('strict')).list('alice')).toEqual([]);
  });

  it('share the endpoints’ settings: protocols that are off are off everywhere', async () => {
    const { url } = await open({
      protocols: { agUi: false, openai: false },
      features: [{ name: 'archive' }],
    });
    for (const path of ['agent', 'archive']) {
      await request(url).post(`/${path}/ag-ui`).set(alice).send({}).expect(404);
      await request(url).get(`/${path}/v1/models`).set(alice).expect(404);
      await request(url).get(`/${path}/tools`).set(alice).expect(200);
      await request(url).get(`/${path}/ui`).expect(200);
    }
  });

  it('need no agent of the application itself', async () => {
    const { url, app } = await open({
      agent: false,
      features: [{ name: 'archive', steps: ['hello'] }],
    });
    await request(url).post('/agent/chat').set(alice).send({ message: 'hi' }).expect(404);
    await request(url).post('/archive/chat').set(alice).send({ message: 'hi' }).expect(200);
    expect(app.get(getAgentToken('archive'))).toBeDefined();
  });
});

describe('an agent that is declared wrongly', () => {
  it.each([
    [{ name: 'a b' }, /options\.name must be a name of 1 to 64 letters/],
    [{}, /options\.name is missing/],
    [{ name: 'x', store: {} }, /options\.store is no option/],
    [{ name: 'x', limits: {} }, /options\.limits is no option/],
    [{ name: 'x', tools: { includes: [] } }, /options\.tools\.includes is no option.*include/],
  ])('%p is refused', (options, message) => {
    expect(() => AgentModule.forFeature(options as never)).toThrow(message);
  });

  it.each<[string, AgentsOptions, RegExp]>([
    [
      'a pattern of no tool',
      { features: [{ name: 'x', tools: { include: ['archive_*', 'orders_*'] } }] },
      /agent "x" has patterns of no tool: "orders_\*"/,
    ],
    [
      'two of a name',
      { features: [{ name: 'x' }, { name: 'x', path: 'y' }] },
      /Two agents have the name "x"/,
    ],
    [
      'two of a path',
      { features: [{ name: 'x' }, { name: 'y', path: 'x' }] },
      /Two agents have the path "x"/,
    ],
    [
      'an unknown agent to ask',
      { features: [{ name: 'x', agents: ['nobody'] }] },
      /agent "x" names an unknown agent "nobody"; there are agent, x/,
    ],
    [
      'a circle',
      {
        features: [
          { name: 'x', agents: ['y'] },
          { name: 'y', agents: ['x'] },
        ],
      },
      /asks in a circle: x asks y asks x/,
    ],
    [
      'a tool of the same name',
      { features: [{ name: 'x', agents: [{ name: 'y', as: 'archive_find' }] }, { name: 'y' }] },
      /tool name "archive_find", which ArchiveTools\.find has/,
    ],
  ])('%s stops the boot', async (_what, options, message) => {
    await expect(agentsApp(options)).rejects.toThrow(message);
  });
});

describe('a service that a test overrides', () => {
  const named = (name: string) => ({ tools: () => Promise.resolve([{ name, description: '' }]) });

  it("reaches its agent's endpoints, and no other agent's", async () => {
    const module = await Test.createTestingModule({
      imports: [
        AgentModule.forRoot({ model: new ScriptedModel([]) }),
        AgentModule.forFeature({ name: 'support' }),
        AgentModule.forFeature({ name: 'sales' }),
      ],
      providers: [ArchiveTools],
    })
      .overrideProvider(AgentService)
      .useValue(named('of_the_root'))
      .overrideProvider(getAgentToken('support'))
      .useValue(named('of_support'))
      .compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    try {
      const http = request(await app.getUrl());
      const namesAt = async (path: string): Promise<readonly string[]> => {
        const { body } = await http.get(path).expect(200);
        return (body as { name: string }[]).map(({ name }) => name);
      };
      expect(await namesAt('/agent/tools')).toEqual(['of_the_root']);
      expect(await namesAt('/support/tools')).toEqual(['of_support']);
      expect(await namesAt('/sales/tools')).toEqual(['archive_find', 'archive_burn']);
    } finally {
      await app.close();
    }
  });
});
