import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module, UseGuards } from '@nestjs/common';
import {
  AgentService,
  AgentModule,
  memoryStore,
  type AgentOptions,
  type ChatResult,
  type Permission,
} from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { shownJson } from '../../../test/support/shown-json';
import { HeaderGuard } from '../start/header.guard';
import { AppModule } from './app.module';
import { GuardedModule } from './guarded.module';
import { AppsController } from './apps.controller';
import { Assistant, Deployments } from './assistant';
import { LogTools } from './logs.tools';

const TEXT = guideText('permissions');

function read<T>(name: string): T {
  return JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as T;
}

/** The model's wish to deploy; in the guide its call is call_1. */
const deploy = {
  text: 'I will deploy it.',
  toolCalls: [{ name: 'deploy_app', input: { name: 'shop', version: '1.2' } }],
};

describe('the guide to permissions', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => guide.close());

  const answer = async (asked: ChatResult, action: JsonObject, user?: string) => {
    const [pending] = asked.pendingActions;
    const actions = [{ ...action, callId: action['callId'] ?? pending?.callId }];
    const path = `/agent/runs/${asked.runId}/actions`;
    const { status, body } = await guide.post(path, { actions }, user);
    return { status, body: body as ChatResult & { code?: string } };
  };
  const answersOf = (type: string, key?: string) => {
    const answers = read<JsonObject[]>('answers.json');
    const found = answers.find((each) => each['type'] === type && (!key || key in each));
    const { callId, ...rest } = found ?? {};
    void callId;
    return rest as JsonObject;
  };

  it('settles a call that was made by hand', async () => {
    const deployments = guide.app.get(Deployments);
    const request = { headers: { authorization: 'Bearer ada' } };
    const ada = { principal: 'ada', request };
    expect(await deployments.start('blog', '1.2', ada)).toBeUndefined();
    const callId = (await deployments.start('shop', '1.2', ada)) ?? '';
    await expect(deployments.decide(callId, true, 'eve')).rejects.toMatchObject({
      code: 'not_pending',
    });
    expect(await deployments.decide(callId, true, 'ada')).toMatchObject({ status: 'executed' });
    const other = (await deployments.start('shop', '1.3', ada)) ?? '';
    expect(await deployments.decide(other, false, 'ada')).toMatchObject({ status: 'declined' });
  });

  it('offers what is not denied to everybody', async () => {
    const { body } = await guide.get('/agent/tools');
    const names = (body as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['list_apps', 'deploy_app', 'add_note', 'delete_app', 'read_log']);
    const { output } = await guide.call('drop_database', { name: 'main' });
    expect(TEXT).toContain(output);
  });

  it('allows what reads, and what says so', async () => {
    expect(await guide.call('list_apps')).toMatchObject({ output: '["shop","blog"]' });
    expect(await guide.call('add_note', { name: 'shop', text: 'Hi' })).toMatchObject({
      output: '{"name":"shop","text":"Hi"}',
    });
    const other = await guide.call('deploy_app', { name: 'blog', version: '1.0' });
    expect(other).toMatchObject({ output: 'blog 1.0 is out' });
  });

  it('asks a function about each call', async () => {
    const call = (hours: number, app = 'shop') => ({
      toolCalls: [{ name: 'read_log', input: { app, hours } }],
    });
    expect((await guide.chat({}, call(1), 'Done.')).toolCalls[0]?.output).toBe('1 h of shop');
    expect((await guide.chat({}, call(48))).status).toBe('requires_action');
    const denied = (await guide.chat({}, call(1, 'payroll'), 'Done.')).toolCalls[0];
    expect(denied).toMatchObject({ isError: true });
    expect(denied?.output).toContain('Permission denied');
  });

  it('shows the answer that asks, and goes on once it is answered', async () => {
    const asked = await guide.chat({}, deploy);
    expect(shownJson(asked)).toEqual(shownJson(read('asked.json')));
    guide.model.push('Done.');
    const { actions } = read<{ actions: [JsonObject] }>('approve.json');
    const [{ type }] = actions;
    const { body } = await answer(asked, { type: type ?? null });
    expect(body).toMatchObject({
      runId: asked.runId,
      status: 'completed',
      toolCalls: [{ output: 'shop 1.2 is out', isError: false }],
      pendingActions: [],
    });
  });

  it('runs what was edited', async () => {
    const asked = await guide.chat({}, deploy);
    const wrong = await answer(asked, { type: 'approve', input: { name: 'shop', version: 'new' } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    const both = await answer(asked, { ...answersOf('approve', 'input'), remember: true });
    expect(both).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    guide.model.push('Done.');
    const { body } = await answer(asked, answersOf('approve', 'input'));
    expect(body.toolCalls).toMatchObject([
      { input: { name: 'shop', version: '1.3' }, output: 'shop 1.3 is out' },
    ]);
  });

  it('tells the model of a refusal', async () => {
    const asked = await guide.chat({}, deploy);
    guide.model.push('I left it.');
    const { body } = await answer(asked, answersOf('reject'));
    expect(body.toolCalls[0]).toMatchObject({ isError: true });
    expect(TEXT).toContain(body.toolCalls[0]?.output);
  });

  it('remembers a tool for the session until that is revoked', async () => {
    const asked = await guide.chat({}, deploy);
    guide.model.push('Done.');
    await answer(asked, answersOf('approve', 'remember'));
    const { sessionId } = asked;
    const again = await guide.chat({ sessionId }, deploy, 'Done.');
    expect(again).toMatchObject({ status: 'completed' });
    const { body } = await guide.get('/agent/sessions');
    expect(body).toContainEqual(
      expect.objectContaining({ sessionId, permissions: ['deploy_app'] }),
    );
    await guide.app.get(Assistant).forget(sessionId, 'deploy_app', 'ada');
    expect((await guide.chat({ sessionId }, deploy)).status).toBe('requires_action');
    const destroy = { toolCalls: [{ name: 'delete_app', input: { name: 'blog' } }] };
    const other = await guide.chat({}, destroy);
    guide.model.push('Done.');
    await answer(other, { type: 'approve', remember: true });
    const repeated = await guide.chat({ sessionId: other.sessionId }, destroy);
    expect(repeated.status).toBe('requires_action');
  });

  it('answers with the codes of the guide', async () => {
    const asked = await guide.chat({}, deploy);
    const codes = [
      await answer(asked, { type: 'approve' }, 'grace'),
      await answer(asked, { type: 'result', result: 1 }),
      await answer(asked, { type: 'approve', callId: 'call_0' }),
    ];
    guide.model.push('Done.');
    await answer(asked, { type: 'approve' });
    codes.push(await answer(asked, { type: 'approve' }));
    expect(codes.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '404 run_not_found',
      '409 not_pending',
      '409 not_pending',
      '409 already_resolved',
    ]);
  });

  it('declines what waits when another message comes', async () => {
    const asked = await guide.chat({}, deploy);
    await guide.chat({ sessionId: asked.sessionId }, 'Hello.');
    const said = JSON.stringify(guide.model.requests.at(-1)?.messages);
    expect(said).toContain('tool_result');
    const { body } = await answer(asked, { type: 'approve' });
    expect(body.code).toBe('already_resolved');
  });

  it('does not run what was approved too late', async () => {
    const asked = await guide.chat({}, deploy);
    const [action] = asked.pendingActions;
    const late = Date.parse(action?.expiresAt ?? '') + 1;
    expect(late - Date.now()).toBeGreaterThan(3_500_000);
    jest.spyOn(Date, 'now').mockReturnValue(late);
    const { status, body } = await answer(asked, { type: 'approve' });
    expect([status, body.code]).toEqual([409, 'expired']);
    expect(TEXT).toContain('409 `expired`');
    const run = await guide.get(`/agent/runs/${asked.runId}`);
    expect(run.body).toMatchObject({ status: 'cancelled', toolCalls: [{ isError: true }] });
  });

  it('asks on a stream too, and goes on with one', async () => {
    guide.model.push(deploy);
    const stream = await guide.stream('/agent/chat/stream', { message: 'Deploy' });
    const events = await stream.all();
    const asked = await stream.next('approval.required');
    const { seq, ...shown } = read<{ seq: number }>('approval-required.json');
    expect(seq).toEqual(expect.any(Number));
    expect(shownJson(asked)).toEqual(shownJson({ ...shown, seq: asked.seq }));
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'requires_action' });
    guide.model.push('Done.');
    const resumed = await guide.stream(`/agent/runs/${asked.runId}/actions`, {
      actions: [{ callId: asked.callId, type: 'approve' }],
    });
    const more = await resumed.all();
    expect(more[0]?.seq).toBe((events.at(-1)?.seq ?? 0) + 1);
    expect(more.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' });
  });

  it('is answered by code', async () => {
    const asked = await guide.chat({}, deploy);
    guide.model.push('Done.');
    const request = { headers: { authorization: 'Bearer ada' } };
    const done = await guide.app.get(Assistant).approveAll(asked, 'ada', request);
    expect(done.toolCalls).toMatchObject([{ output: 'shop 1.2 is out' }]);
  });
});

describe('the guide to permissions', () => {
  it('withholds what the guards refuse, before and after a log-in', async () => {
    const guide = await GuideApp.start(GuardedModule);
    const tools = guide.app.get(AgentService);
    const request = { headers: { authorization: 'Bearer ada' } };
    const named = (await tools.tools({ principal: 'ada', request })).map(({ name }) => name);
    expect(named).toEqual(['list_apps', 'deploy_app', 'add_note', 'delete_app']);
    expect(await tools.tools({ request: { headers: {} } })).toEqual([]);
    await guide.close();
  });
});

describe('the guide to permissions', () => {
  it('waits across a restart, where the store outlasts it', async () => {
    const store = memoryStore();
    const restarted = () => {
      @Module({
        imports: [
          AgentModule.forRoot({ decorators: [UseGuards(HeaderGuard)], sessions: { store } }),
        ],
        controllers: [AppsController],
      })
      class KeptModule {}
      return GuideApp.start(KeptModule);
    };
    const before = await restarted();
    const asked = await before.chat({}, deploy);
    await before.close();
    const after = await restarted();
    after.model.push('Done.');
    const { body } = await after.post(`/agent/runs/${asked.runId}/actions`, {
      actions: asked.pendingActions.map(({ callId }) => ({ callId, type: 'approve' })),
    });
    await after.close();
    expect(body).toMatchObject({
      status: 'completed',
      toolCalls: [{ output: 'shop 1.2 is out' }],
    });
  });

  it.each<[string, Permission | undefined, string[]]>([
    ['as it is', undefined, ['list_apps', 'add_note', 'read_log']],
    ['ask', 'ask', ['add_note', 'read_log']],
    [
      'allow',
      'allow',
      ['list_apps', 'deploy_app', 'add_note', 'delete_app', 'read_log', 'drop_database'],
    ],
  ])('has defaultPermission %s', async (_what, defaultPermission, allowed) => {
    const options: AgentOptions = { ...(defaultPermission && { defaultPermission }) };
    @Module({
      imports: [AgentModule.forRoot({ ...options, principal: () => 'ada' })],
      controllers: [AppsController],
      providers: [LogTools],
    })
    class DefaultModule {}
    const guide = await GuideApp.start(DefaultModule);
    const inputs: Record<string, JsonObject> = {
      list_apps: {},
      deploy_app: { name: 'shop', version: '1.0' },
      add_note: { name: 'shop', text: 'Hi' },
      delete_app: { name: 'shop' },
      read_log: { app: 'shop', hours: 1 },
      drop_database: { name: 'main' },
    };
    const ran: string[] = [];
    for (const [name, input] of Object.entries(inputs)) {
      const { status } = await guide.chat({}, { toolCalls: [{ name, input }] }, 'Done.');
      if (status === 'completed') ran.push(name);
      else await guide.model.stream({} as never, { signal: new AbortController().signal }).next();
    }
    await guide.close();
    expect(ran).toEqual(allowed);
  });
});
