import { Module } from '@nestjs/common';
import { AgentModule, type ChatResult } from 'nestjs-agent';
import { agentOptions } from '../apps/demo/src/agent/agent.options';
import { PlatformModule } from '../apps/demo/src/platform.module';
import { RunningDemo } from './support/demo/running-demo';

const ROUTE_TOOLS = [
  'delete_application',
  'deploy_application',
  'get_application',
  'get_dashboard_stats',
  'get_workflow',
  'list_applications',
  'list_resources',
  'list_workflows',
  'rollback_application',
];

describe("the demo's agent on the offline model", () => {
  let demo: RunningDemo;
  let alice: string;
  let bob: string;
  beforeAll(async () => {
    demo = await RunningDemo.start();
    [alice, bob] = await Promise.all([demo.login('alice'), demo.login('bob')]);
  });
  afterAll(() => demo.close());

  it('says that it is a stand-in, in its health and in its first reply', async () => {
    expect(await demo.request('GET', '/agent/health')).toEqual({
      status: 200,
      body: {
        status: 'ok',
        model: 'offline',
        notice: expect.stringContaining('stand-in'),
        mcp: { samples: 'connected' },
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    });
    const { message } = await demo.chat(alice, 'what applications do I have');
    expect(message).toMatch(/offline/i);
  });

  it('answers nobody who is not logged in', async () => {
    for (const path of ['/agent/chat', '/agent/chat/stream']) {
      expect(await demo.request('POST', path, { body: { message: 'hello' } })).toMatchObject({
        status: 401,
      });
    }
    expect(await demo.request('GET', '/agent/tools')).toMatchObject({ status: 401 });
  });

  it('offers the nine routes and the provider tools', async () => {
    const { body } = await demo.request<{ tools: { name: string }[] } | { name: string }[]>(
      'GET',
      '/agent/tools',
      { token: bob },
    );
    const names = (Array.isArray(body) ? body : body.tools).map(({ name }) => name);

    expect(names).toEqual(
      expect.arrayContaining([...ROUTE_TOOLS, 'add', 'current_time', 'who_is_on_call']),
    );
  });

  it('lists the applications of the user who asks', async () => {
    const ask = (token: string) => demo.chat(token, 'what applications do I have');
    const [hers, his] = [await ask(alice), await ask(bob)];

    for (const { status, toolCalls } of [hers, his]) {
      expect(status).toBe('completed');
      expect(toolCalls).toMatchObject([{ name: 'list_applications', input: {}, isError: false }]);
    }
    expect(hers.message).toMatch(/demo-app[^]*test-service/);
    expect(hers.message).not.toMatch(/api-gateway|billing-worker/);
    expect(his.message).toMatch(/demo-app[^]*api-gateway[^]*billing-worker/);
  });

  it('shows failed workflows of one application', async () => {
    const { toolCalls, message } = await demo.chat(alice, 'show me failed workflows for demo-app');

    expect(toolCalls).toMatchObject([
      { name: 'list_workflows', input: { status: 'failed', application: 'demo-app' } },
    ]);
    expect(message).toMatch(/smoke tests demo-app[^]*migrate demo-app database/);
    expect(message).not.toContain('deploy demo-app');
  });

  it('adds', async () => {
    const { toolCalls, message } = await demo.chat(alice, 'add 2 and 40');

    expect(toolCalls).toMatchObject([{ name: 'add', input: { a: 2, b: 40 }, output: '42' }]);
    expect(message).toContain('42');
  });

  it.each([
    ['show workflow 103', 'get_workflow', { id: 103 }, /Migration 0042/],
    [
      'show me the application test-service',
      'get_application',
      { name: 'test-service' },
      /0\.9\.0/,
    ],
    ['who is on call for demo-app?', 'who_is_on_call', { application: 'demo-app' }, /Priya/],
    ['show the dashboard statistics', 'get_dashboard_stats', {}, /failed/i],
    ['list the resources of demo-app', 'list_resources', { application: 'demo-app' }, /postgres/],
    ['what time is it', 'current_time', {}, /UTC/],
    ['run a health check of demo-app', 'check_health', { application: 'demo-app' }, /postgres/],
  ])('understands "%s"', async (message, name, input, answer) => {
    const result = await demo.chat(alice, message);

    expect(result.toolCalls).toMatchObject([{ name, input, isError: false }]);
    expect(result.message).toMatch(answer);
  });

  it("keeps another user's application from the caller in provider tools too", async () => {
    const { toolCalls } = await demo.chat(alice, 'who is on call for "api-gateway"?');

    expect(toolCalls).toMatchObject([
      { name: 'who_is_on_call', isError: true, output: expect.stringContaining('no application') },
    ]);
  });

  it('streams the run, the progress of a tool included', async () => {
    const events = await demo.stream(alice, 'run a health check of demo-app');
    const types = events.map(({ type }) => type).filter((type) => type !== 'text.delta');

    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
    expect(types.filter((type) => type !== 'tool.input.delta')).toEqual([
      'run.started',
      'step.started',
      'step.finished',
      'tool.call',
      ...Array<string>(5).fill('tool.progress'),
      'tool.result',
      'step.started',
      'step.finished',
      'run.finished',
    ]);
  });

  it('goes on in the session that the first message opened', async () => {
    const first = await demo.chat(alice, 'add 2 and 40');
    const second = await demo.chat(alice, 'add 3 and 4', first.sessionId);

    expect(second).toMatchObject({ sessionId: first.sessionId, status: 'completed' });
    expect(second.message).toContain('7');
    expect(
      await demo.request('POST', '/agent/chat', {
        token: bob,
        body: { message: 'add 1 and 1', sessionId: first.sessionId },
      }),
    ).toMatchObject({ status: 404 });
  });

  it('asks before it writes, and goes on when the user agrees', async () => {
    const token = bob;
    const application = () => demo.request('GET', '/applications/legacy-reports', { token });
    const asked = await demo.chat(token, 'delete application legacy-reports');

    expect(asked).toMatchObject({
      status: 'requires_action',
      pendingActions: [
        { type: 'approval', name: 'delete_application', input: { name: 'legacy-reports' } },
      ],
    });
    expect(await application()).toMatchObject({ status: 200 });

    const approve = (as: string) =>
      demo.request<ChatResult>('POST', `/agent/runs/${asked.runId}/actions`, {
        token: as,
        body: { actions: [{ callId: asked.pendingActions[0]?.callId, type: 'approve' }] },
      });
    expect(await approve(alice)).toMatchObject({ status: 404 });
    expect(await approve(bob)).toMatchObject({
      status: 200,
      body: { status: 'completed', runId: asked.runId, message: expect.stringContaining('legacy') },
    });
    expect(await application()).toMatchObject({ status: 404 });
  });
});

@Module({
  imports: [
    PlatformModule,
    AgentModule.forRoot({ ...agentOptions(), permissions: { '*_application': 'allow' } }),
  ],
})
class DemoThatNeverAsks {}

describe("the application's own guards", () => {
  let demo: RunningDemo;
  beforeEach(async () => {
    demo = await RunningDemo.start(DemoThatNeverAsks);
  });
  afterEach(() => demo.close());

  it('refuse alice a delete, and the agent is told why', async () => {
    const { toolCalls } = await demo.chat(
      await demo.login('alice'),
      'delete application "demo-app"',
    );

    expect(toolCalls).toMatchObject([
      {
        name: 'delete_application',
        input: { name: 'demo-app' },
        isError: true,
        output: expect.stringMatching(/permission[^]*This needs the role admin/i),
      },
    ]);
    expect(
      await demo.request('GET', '/applications/demo-app', { token: await demo.login('alice') }),
    ).toMatchObject({ status: 200 });
  });

  it('let bob delete', async () => {
    const token = await demo.login('bob');
    const { toolCalls } = await demo.chat(token, 'delete application "demo-app"');

    expect(toolCalls).toMatchObject([{ name: 'delete_application', isError: false }]);
    expect(await demo.request('GET', '/applications/demo-app', { token })).toMatchObject({
      status: 404,
    });
  });
});
