import { createHash } from 'node:crypto';
import { type INestApplication, Logger } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import request from 'supertest';
import { type ChatResult, getSessionsToken, memoryStore, SessionService } from 'nestjs-agent';
import {
  agentsApp,
  type AgentsApp,
  type AgentsOptions,
  ArchiveTools,
  calls,
} from './agents/several-agents';
import { Tab } from './front-ends/ag-ui/tab';
import { Chat } from './front-ends/ai-sdk/chat';
import { ADAPTERS } from './http/agent-app';
import { as } from './http/every-endpoint';
import { TelemetryRecorder } from './support/telemetry-recorder';

/** As the library derives the ids of children: their owner could do so too. */
const derived = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

describe.each(ADAPTERS)('the endpoints of several agents on %s', (adapter) => {
  let opened: INestApplication | undefined;
  const open = async (options: Omit<AgentsOptions, 'adapter'>): Promise<AgentsApp> => {
    const app = await agentsApp({ ...options, adapter });
    opened = app.app;
    return app;
  };
  afterEach(async () => {
    jest.restoreAllMocks();
    await opened?.close();
    opened = undefined;
  });

  const waiting = async (app: AgentsApp): Promise<ChatResult> =>
    (await request(app.url).post('/agent/chat').set(as('alice')).send({ message: 'Burn it' }))
      .body as ChatResult;
  const burning = {
    agents: ['archive'],
    steps: [calls('ask_archive', { message: 'Burn it' }), 'Done.'],
    features: [
      { name: 'archive', steps: [calls('archive_burn', { name: 'map' }), 'Burnt.', 'Hello.'] },
    ],
  };

  it('know nothing of the sessions and runs of asked agents', async () => {
    const app = await open(burning);
    const { sessionId, runId, pendingActions } = await waiting(app);
    const { body: told } = await request(app.url).get(`/agent/runs/${runId}`).set(as('alice'));
    const [asking] = (told as ChatResult).toolCalls;
    const session = `ses_${derived(sessionId, 'archive', '0')}`;
    const run = `run_${derived(runId, asking?.id ?? '')}`;
    const [{ callId = '' } = {}] = pendingActions;
    const actions = [{ callId, type: 'approve' }];
    const http = request(app.url);
    const statuses: Record<string, number> = {};
    for (const user of ['alice', 'mallory']) {
      for (const agent of ['agent', 'archive']) {
        const asked = {
          messages: http.get(`/${agent}/sessions/${session}/messages`),
          remove: http.delete(`/${agent}/sessions/${session}`),
          permission: http.delete(`/${agent}/sessions/${session}/permissions/archive_burn`),
          run: http.get(`/${agent}/runs/${run}`),
          events: http.get(`/${agent}/runs/${run}/events`),
          cancel: http.delete(`/${agent}/runs/${run}`),
          actions: http.post(`/${agent}/runs/${run}/actions`).send({ actions }),
          chat: http.post(`/${agent}/chat`).send({ message: 'x', sessionId: session }),
          stream: http.post(`/${agent}/chat/stream`).send({ message: 'x', sessionId: session }),
          aiSdk: http.get(`/${agent}/ai-sdk/${session}/messages`),
          agUi: http.get(`/${agent}/ag-ui/${session}/messages`),
          stop: http.delete(`/${agent}/ag-ui/${session}/run`),
          response: http.get(`/${agent}/v1/responses/resp_${run}_0`),
          conversation: http
            .post(`/${agent}/v1/responses`)
            .send({ model: agent, input: 'x', conversation: session }),
        };
        for (const [name, each] of Object.entries(asked)) {
          const { status } = await each.set(as(user));
          statuses[`${user} ${agent} ${name}`] = status;
        }
      }
    }
    // The run that asks is its owner's, and the asked agent has none of it.
    for (const [user, agent] of [
      ['mallory', 'agent'],
      ['alice', 'archive'],
    ] as const) {
      const asked = http.post(`/${agent}/runs/${runId}/actions`).send({ actions });
      const { status } = await asked.set(as(user));
      statuses[`${user} ${agent} approval`] = status;
    }
    expect(Object.entries(statuses).filter(([, status]) => status !== 404)).toEqual([]);
    expect(Object.keys(statuses)).toHaveLength(58);
    expect(app.app.get(ArchiveTools).burnt).toEqual([]);
    const done = http.post(`/agent/runs/${runId}/actions`).send({ actions });
    await done.set(as('alice')).expect(200);
    expect(app.app.get(ArchiveTools).burnt).toEqual(['map']);
  });

  it('have models, threads and a health of their own', async () => {
    const { url } = await open({
      steps: ['I am the first.', 'The first again.'],
      features: [{ name: 'archive', steps: ['I am the archive.', 'The archive again.'] }],
    });
    const http = request(url);
    for (const [agent, other, path] of [
      ['agent', 'archive', '/agent'],
      ['archive', 'agent', '/archive'],
    ] as const) {
      const { body } = await http.get(`${path}/v1/models`).set(as('alice')).expect(200);
      const ids = (body as { data: { id: string }[] }).data.map(({ id }) => id);
      expect(ids).toEqual([agent, agent === 'agent' ? 'root-model' : 'archive-model']);
      await http
        .post(`${path}/v1/responses`)
        .set(as('alice'))
        .send({ model: other, input: 'x' })
        .expect(404);
      await http.get(`${path}/health`).expect(200);
    }
    const tabs = ['/agent', '/archive'].map((path) => new Tab(url, { path }));
    for (const tab of tabs) await tab.say('hi');
    expect(tabs.map((tab) => tab.texts)).toEqual([['I am the first.'], ['I am the archive.']]);
    const chats = ['/agent', '/archive'].map(
      (path) => new Chat(url, { user: 'alice', id: 'other', path: `${path}/ai-sdk` }),
    );
    for (const chat of chats) await chat.sendMessage({ text: 'hi' });
    expect(chats.map((chat) => chat.text)).toEqual(['The first again.', 'The archive again.']);
    expect(await tabs[1]?.history()).toHaveLength(2);
  });

  it('delete the conversations of their own agent, with all that is part of them', async () => {
    const app = await open(burning);
    await waiting(app);
    const http = request(app.url);
    app.models['archive']?.push('Hello.');
    await http.post('/archive/chat').set(as('alice')).send({ message: 'hi' }).expect(200);
    const { sessionId } = (await http.get('/agent/sessions').set(as('alice'))).body[0] as {
      sessionId: string;
    };
    await http.delete(`/agent/sessions/${sessionId}`).set(as('alice')).expect(204);
    const left = async (path: string): Promise<number> =>
      ((await http.get(`${path}/sessions`).set(as('alice'))).body as unknown[]).length;
    expect([await left('/agent'), await left('/archive')]).toEqual([0, 1]);
  });

  it('clear the conversations of their own agent alone', async () => {
    const store = memoryStore();
    const app = await open({ ...burning, sessions: { store } });
    const { sessionId } = await waiting(app);
    const http = request(app.url);
    const other = await http.post('/archive/sessions').set(as('alice')).send({}).expect(200);
    const child = `ses_${derived(sessionId, 'archive', '0')}`;
    expect(await store.find(child)).toMatchObject({ parent: sessionId, agent: 'archive' });
    const sessionsOf = (agent: string): SessionService => app.app.get(getSessionsToken(agent));
    // What is part of a conversation goes with it, not with its agent.
    expect(await sessionsOf('archive').clearAll('alice')).toBe(1);
    expect(await store.find((other.body as { sessionId: string }).sessionId)).toBeUndefined();
    expect(await store.find(child)).toBeDefined();
    expect(await sessionsOf('archive').cleanupExpired()).toEqual([]);
    expect(await app.app.get(SessionService).clearAll('alice')).toBe(1);
    expect(await store.find(child)).toBeUndefined();
  });

  it('clear nothing that an agent does for another one', async () => {
    let asked = (): void => undefined;
    let go = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const mayGo = new Promise<void>((resolve) => (go = resolve));
    const app = await open({
      agents: ['archive'],
      steps: [calls('ask_archive', { message: 'Slowly' }), 'Done.'],
      features: [
        {
          name: 'archive',
          steps: [
            async () => {
              asked();
              await mayGo;
              return 'Found.';
            },
          ],
        },
      ],
    });
    const answer = waiting(app);
    await isAsked;
    const sessions = app.app.get<SessionService>(getSessionsToken('archive'));
    expect(await sessions.clearAll('alice')).toBe(0);
    go();
    const { message, toolCalls } = await answer;
    expect([message, toolCalls[0]?.output]).toEqual(['Done.', 'Found.']);
  });

  it('have one operation id each in the API description', async () => {
    const { app } = await open({ features: [{ name: 'archive' }, { name: 'cellar' }] });
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path as Record<string, { operationId?: string }>).flatMap(
        ({ operationId }) => operationId ?? [],
      ),
    );
    expect(ids.length).toBeGreaterThan(60);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are named where no guard stands before them', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await open({
      features: [
        { name: 'open', decorators: [] },
        { name: 'wide', decorators: [] },
        { name: 'safe' },
      ],
    });
    const said = warn.mock.calls.map(([message]) => String(message));
    expect(said.filter((words) => words.startsWith('No guard'))).toEqual([
      expect.stringMatching(/^No guard checks who calls the agents "open", "wide": .*forFeature/),
    ]);
  });

  it('tell telemetry whose work it is: that of the run that the user started', async () => {
    const telemetry = new TelemetryRecorder();
    const app = await open({ ...burning, telemetry });
    const { sessionId, runId, pendingActions } = await waiting(app);
    const actions = pendingActions.map(({ callId }) => ({ callId, type: 'approve' }));
    await request(app.url).post(`/agent/runs/${runId}/actions`).set(as('alice')).send({ actions });
    for (const { info } of telemetry.all) expect(info).toMatchObject({ sessionId, runId });
    const agentsOf = (hook: 'run' | 'step' | 'modelCall' | 'toolCall'): readonly unknown[] =>
      telemetry.find(hook).map(({ info }) => info['agent']);
    expect(agentsOf('run')).toEqual(['agent', 'archive', 'agent', 'archive']);
    expect(agentsOf('modelCall')).toEqual(['agent', 'archive', 'archive', 'agent']);
    // Below the call that asks.
    const [asking] = telemetry
      .find('toolCall')
      .filter(({ info }) => info['tool'] === 'ask_archive');
    expect(asking?.children).toMatchObject([{ hook: 'run', info: { agent: 'archive' } }]);
    const burn = telemetry.find('toolCall').find(({ info }) => info['tool'] === 'archive_burn');
    expect(burn?.info).toMatchObject({ agent: 'archive', runId, principal: 'alice' });
    expect(telemetry.isOver).toBe(true);
  });
});
