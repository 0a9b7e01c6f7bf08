import {
  type ArgumentsHost,
  BadRequestException,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  Param,
  ParseIntPipe,
  Post,
  Body,
  UseFilters,
  UseGuards,
  UsePipes,
} from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import request, { type Response } from 'supertest';
import { AgentModule, Tool, ToolCallFactory, ToolField, ToolParam } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import { McpPrompt, McpResource, McpServerModule } from 'nestjs-agent/mcp';
import {
  ADAPTERS,
  type AgentAppOptions,
  BearerGuard,
  Closers,
  LoginGuard,
  removed,
} from './http/agent-app';
import { EvenPipe, TeapotFilter } from './http/failing-stages';
import { as } from './http/every-endpoint';

@Injectable()
class Closed implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('It is closed.');
  }
}

/** Refuses mallory, whom the login guard lets pass. */
@Injectable()
class NotMallory extends LoginGuard {
  override canActivate(context: ExecutionContext): boolean {
    const isLoggedIn = super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<{ user?: { id: string } }>();
    return isLoggedIn && user?.id !== 'mallory';
  }
}

/** Of Express and of Fastify. */
interface Answer {
  status(code: number): Answer;
  send(body: object): unknown;
}

@Catch(HttpException)
class AnsweringFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Answer>();
    response.status(418).send({ message: 'A teapot now.' });
  }
}

class Login {
  @ToolField({ description: 'Who' })
  user!: string;

  @ToolField({ description: 'The secret', sensitive: true })
  pin!: string;

  @ToolField({ description: 'Redacted by its name' })
  token!: string;
}

const EVIL = '<img src=x onerror="window.hacked=1">';

@Injectable()
class Tools {
  @Tool({ description: 'Refused by a guard', readOnly: true })
  @UseGuards(Closed)
  guarded(): string {
    return 'never';
  }

  @Tool({ description: 'Takes even numbers', readOnly: true })
  @UsePipes(EvenPipe)
  even(@ToolParam('n') n: number): number {
    return n;
  }

  @Tool({ description: 'Fails', readOnly: true })
  @UseFilters(TeapotFilter)
  filtered(): never {
    throw new BadRequestException('not told');
  }

  @Tool({ description: EVIL, readOnly: true })
  evil(@ToolParam('text', { description: EVIL }) text: string): object {
    return { [EVIL]: text };
  }

  @McpResource({ uri: 'shop://hours', name: 'hours', description: 'Opening hours' })
  hours(): string {
    return '9 to 5';
  }

  @McpPrompt({ name: 'greet', description: 'Greets' })
  greet(@ToolParam('name') name: string): string {
    return `Hello ${name}`;
  }
}

@Controller('doors')
@UseGuards(LoginGuard)
class DoorsController {
  @Tool({ name: 'open_door', description: 'Open a door' })
  @Post(':id')
  open(@Param('id', ParseIntPipe) id: number, @Body() { user }: Login): object {
    return { id, user };
  }

  @Tool({ name: 'closed_door', description: 'Never opens' })
  @UseGuards(Closed)
  @Get('closed')
  closed(): string {
    return 'never';
  }

  @Tool({ name: 'odd_door', description: 'Opens where it is even' })
  @Get('odd/:id')
  odd(@Param('id', EvenPipe) id: string): string {
    return id;
  }

  @Tool({ name: 'teapot_door', description: 'There is a teapot behind it' })
  @UseFilters(AnsweringFilter)
  @Get('teapot')
  teapot(): never {
    throw new BadRequestException('not told');
  }

  @Tool({ name: 'empty_door', description: 'There is nothing behind it' })
  @Get('empty')
  empty(): never {
    throw new BadRequestException('Nothing here.');
  }
}

interface Try {
  readonly callId: string;
  readonly status: string;
  readonly request?: { method: string; path: string; body?: string };
  readonly stages: readonly { stage: string; by?: string; durationMs: number; isFailed?: true }[];
  readonly [field: string]: unknown;
}

describe.each(ADAPTERS)('the workbench on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());
  const common = new Closers();
  let url = '';
  beforeAll(async () => ({ url } = await open({}, common)));
  afterAll(() => common.close());

  const open = (options: AgentAppOptions = {}, closers = apps) =>
    closers.open({
      adapter,
      workbench: true,
      providers: [Tools],
      controllers: [DoorsController],
      permissions: { open_door: 'allow' },
      presets: { open_door: { token: 'preset-secret' } },
      audit: { redact: ['user'] },
      ...options,
    });
  const get = (url: string, path: string, user = 'alice'): Promise<Response> =>
    request(url).get(`/agent/workbench${path}`).set(as(user));
  const post = (url: string, path: string, body: object, user = 'alice'): Promise<Response> =>
    request(url).post(`/agent/workbench${path}`).set(as(user)).send(body);
  const attempt = async (tool: string, input: object): Promise<Try> => {
    const { body } = await post(url, '/calls', { tool, input });
    return body as Try;
  };
  const placeOf = ({ stages }: Try) => stages.find(({ isFailed }) => isFailed);

  const PATHS = [
    '',
    '/tools',
    '/tools/add',
    '/runs',
    '/evals',
    '/sessions/x',
    '/agent-workbench.js',
  ];

  it.each([undefined, false, { when: false }, 'development' as const])(
    'is not there with %j, in production',
    async (workbench) => {
      const before = process.env['NODE_ENV'];
      process.env['NODE_ENV'] = 'production';
      try {
        const { url } = await open({
          workbench: workbench as false,
          imports: [AgentModule.forFeature({ name: 'support', workbench: { evals: 'x.json' } })],
        });
        for (const path of PATHS) {
          expect((await get(url, path)).status).toBe(404);
          const further = await request(url).get(`/support/workbench${path}`).set(as('alice'));
          expect(further.status).toBe(404);
        }
        expect((await post(url, '/calls', { tool: 'add' })).status).toBe(404);
      } finally {
        process.env['NODE_ENV'] = before;
      }
    },
  );

  it('tells each caller the same cases, its own id, and nothing of the folders of the server', async () => {
    const evals = { when: true, evals: 'apps/demo/agent.evals.json' } as const;
    const { url } = await open({ decorators: [UseGuards(LoginGuard)], workbench: evals });
    for (const user of ['alice', 'mallory']) {
      const { body } = await get(url, '/evals', user);
      expect(body).toMatchObject({
        file: 'agent.evals.json',
        evals: { as: 'alice', cases: { length: 10 } },
        principal: user,
        models: [{ modelName: expect.any(String) as string }],
      });
    }
    const none = await open({ workbench: { evals: 'none.evals.json' } });
    expect((await get(none.url, '/evals')).body).toMatchObject({
      file: 'none.evals.json',
      problems: [expect.stringMatching(/^none\.evals\.json cannot be read: /) as string],
    });
  });

  it('stands behind the guards, and in no API description', async () => {
    const { url, app } = await open({
      decorators: [UseGuards(LoginGuard)],
      workbench: 'development',
    });
    for (const path of PATHS.slice(0, -1)) {
      const { status } = await request(url).get(`/agent/workbench${path}`);
      expect({ path, status }).toEqual({ path, status: 401 });
    }
    const answered = await request(url).post('/agent/workbench/calls').send({ tool: 'add' });
    expect(answered.status).toBe(401);
    const page = await get(url, '');
    expect(page.text).toContain('<agent-workbench endpoint="."');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect((await get(url, '/agent-workbench.js')).text.length).toBeGreaterThan(1_000);
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(document.paths).filter((path) => path.includes('workbench'))).toEqual([]);
  });

  it('sends a page without data where the page itself brings the log-in', async () => {
    const { url } = await open({
      decorators: [UseGuards(LoginGuard)],
      ui: { headersKey: 'shop.headers' },
    });
    const page = await request(url).get('/agent/workbench');
    expect(page.status).toBe(200);
    expect(page.text).toContain('data-headers-key="shop.headers"');
    expect((await request(url).get('/agent/workbench/tools')).status).toBe(401);
  });

  it('lists what the caller is offered; all with the right alone', async () => {
    const { url } = await open({
      workbench: { all: ({ principal }) => principal === 'ada' },
      permissions: { 'delete_*': 'deny', remove_file: 'ask' },
      groups: [{ name: 'night', description: 'At night', active: false }],
      decorators: [UseGuards(BearerGuard)],
    });
    const namesFor = async (user: string, query = '') => {
      const { body } = await get(url, `/tools${query}`, user);
      return (body.tools as { name: string }[]).map(({ name }) => name);
    };
    expect(await namesFor('alice')).toContain('hidden');
    expect(await namesFor('bob', '?all=true')).not.toContain('hidden');
    expect(await namesFor('ada')).not.toContain('hidden');
    expect((await get(url, '/tools/hidden', 'bob')).status).toBe(404);
    const { body } = await get(url, '/tools?all=true', 'ada');
    const found = (name: string) =>
      (body.tools as { name: string }[]).find((tool) => tool.name === name);
    expect(found('hidden')).toMatchObject({ withheld: { reason: 'hidden' } });
    expect(found('delete_note')).toMatchObject({
      kind: 'route',
      source: 'NotesController.remove',
      withheld: { reason: 'denied' },
      permissions: [{ from: "permissions: 'delete_*'", level: 'deny' }],
    });
    expect(found('remove_file')).toMatchObject({
      permissions: [{ from: "permissions: 'remove_file'", level: 'ask' }],
      warnings: [expect.stringContaining('No description of "name"')],
    });
    const offered = (body.tools as { withheld?: object; tokens: number }[]).filter(
      ({ withheld }) => withheld === undefined,
    );
    expect(body.tokens).toBe(offered.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(body.estimate).toContain('o200k_base');
    const calledAnyway = await post(url, '/calls', { tool: 'hidden', input: {} }, 'ada');
    expect(calledAnyway.body).toMatchObject({ status: 'not_found' });
  });

  it('lists what the caller is offered if the function that gives the right fails', async () => {
    const all = (): boolean => {
      throw new Error('no directory');
    };
    const { url } = await open({ workbench: { all }, decorators: [UseGuards(BearerGuard)] });
    const { status, body } = await get(url, '/tools?all=true', 'bob');
    expect(status).toBe(200);
    const names = (body.tools as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('add');
    expect(names).not.toContain('hidden');
    expect((await get(url, '/tools/hidden', 'bob')).status).toBe(404);
  });

  it("is each agent's own, and away from all where the option is off", async () => {
    const imports = [AgentModule.forFeature({ name: 'support', tools: { include: ['add'] } })];
    for (const workbench of [true, false]) {
      const opened = await open({ imports, workbench });
      const answered = await request(opened.url).get('/support/workbench/tools').set(as('alice'));
      expect(answered.status).toBe(workbench ? 200 : 404);
      if (!workbench) continue;
      expect((answered.body.tools as { name: string }[]).map(({ name }) => name)).toEqual(['add']);
      const other = request(opened.url).post('/support/workbench/calls').set(as('alice'));
      const { body } = await other.send({ tool: 'remove_file', input: { name: 'x' } });
      expect(body).toMatchObject({ status: 'not_found' });
    }
  });

  it('has a file of cases for each agent that names one, and for no other', async () => {
    const evals = 'apps/demo/agent.evals.json';
    const { url } = await open({
      workbench: { evals },
      imports: [
        AgentModule.forFeature({
          name: 'support',
          workbench: { evals: 'docs/snippets/evaluation/conditions.evals.yaml' },
          decorators: [UseGuards(NotMallory)],
        }),
        AgentModule.forFeature({ name: 'archive' }),
      ],
    });
    const casesOf = async (agent: string) => {
      const { body } = await request(url).get(`/${agent}/workbench/evals`).set(as('alice'));
      return body as { file?: string; evals?: { cases: object[] } };
    };
    expect(await casesOf('agent')).toMatchObject({ file: 'agent.evals.json' });
    expect(await casesOf('support')).toMatchObject({
      file: 'conditions.evals.yaml',
      evals: { cases: { length: 3 } },
    });
    expect(await casesOf('archive')).not.toHaveProperty('file');
    const refused = await request(url).get('/support/workbench/evals').set(as('mallory'));
    expect(refused.status).toBe(403);
    expect(refused.text).not.toMatch(/conditions|cases/);
    const off = await open({
      imports: [AgentModule.forFeature({ name: 'support', workbench: { evals } })],
      workbench: false,
    });
    const answered = await request(off.url).get('/support/workbench/evals').set(as('alice'));
    expect(answered.status).toBe(404);
  });

  it('shows a schema in the words of each provider', async () => {
    const { body } = await get(url, '/tools/add');
    const of = (provider: string) =>
      (body.dialects as { provider: string; definition: object }[]).find(
        (dialect) => dialect.provider === provider,
      )?.definition;
    expect(of('openai')).toMatchObject({
      type: 'function',
      function: { name: 'add', strict: true, parameters: { additionalProperties: false } },
    });
    expect(of('openai-compatible')).not.toHaveProperty('function.strict');
    expect(of('anthropic')).toMatchObject({ name: 'add', input_schema: { type: 'object' } });
  });

  it('lists resources and prompts to whom their server lists them', async () => {
    const { url } = await open({
      imports: [McpServerModule.forRoot({ decorators: [UseGuards(LoginGuard)] })],
      visible: ({ definition }, { principal }) =>
        definition.name !== 'prompt_greet' || principal === 'alice',
    });
    const offersFor = async (headers: Record<string, string>) => {
      const { body } = await request(url).get('/agent/workbench/tools').set(headers);
      return (body.offers as { name: string; source: string }[]).map(({ name }) => name);
    };
    expect(await offersFor(as('alice'))).toEqual(['hours', 'greet']);
    expect(await offersFor(as('bob'))).toEqual(['hours']);
    expect(await offersFor({})).toEqual([]);
  });

  it('calls a route as the caller, and shows the request without secrets', async () => {
    const tried = await attempt('open_door', { id: 7, user: 'alice', pin: 'pin-1234' });
    expect(tried).toMatchObject({
      status: 'executed',
      input: { id: 7, user: '[redacted]', pin: '[redacted]' },
      request: { method: 'POST', path: '/doors/7' },
      result: { id: 7, user: 'alice' },
      content: '{"id":7,"user":"alice"}',
    });
    expect(JSON.parse(tried.request?.body ?? '')).toEqual({
      user: '[redacted]',
      pin: '[redacted]',
      token: '[redacted]',
    });
    expect(tried.stages.map(({ stage }) => stage)).toEqual([
      'checks',
      'middleware',
      'guards',
      'handler',
      'answer',
    ]);
    expect(JSON.stringify(tried)).not.toMatch(/pin-1234|preset-secret|Bearer/);
  });

  it.each([
    ['guarded', {}, { stage: 'guards', by: 'Closed' }],
    ['even', { n: 3 }, { stage: 'pipes', by: 'EvenPipe' }],
    ['filtered', {}, { stage: 'handler', by: 'Tools.filtered' }],
    ['closed_door', {}, { stage: 'guards' }],
    ['odd_door', { id: '3' }, { stage: 'handler', by: 'EvenPipe of DoorsController.odd' }],
    ['empty_door', {}, { stage: 'handler', by: 'DoorsController.empty' }],
    ['even', { n: 'x' }, { stage: 'checks' }],
  ])('shows where %s with %j failed', async (tool, input, place) => {
    const tried = await attempt(tool, input);
    expect(tried.status).toBe('failed');
    expect(placeOf(tried)).toMatchObject(place);
  });

  it('shows a filter that answered in place of the handler', async () => {
    const tried = await attempt('filtered', {});
    expect(tried.stages.at(-1)).toMatchObject({
      stage: 'filters',
      by: 'TeapotFilter',
      isFailed: true,
    });
    expect(tried).toMatchObject({ error: { message: 'A teapot now.' } });
  });

  it('shows a filter of a route, by another status than that of the error', async () => {
    const tried = await attempt('teapot_door', {});
    expect(tried.stages.filter(({ isFailed }) => isFailed)).toMatchObject([
      { stage: 'handler', by: 'DoorsController.teapot' },
      { stage: 'filters', by: 'answered 418 instead of 400' },
    ]);
  });

  it('asks for an approval, which only the same caller can give, once', async () => {
    removed.length = 0;
    const { callId, status } = await attempt('remove_file', { name: 'a.txt' });
    expect(status).toBe('awaiting_approval');
    const answer = (user: string, type = 'approve') =>
      post(url, `/calls/${callId}`, { type }, user);
    expect((await answer('bob')).status).toBe(409);
    expect(
      (await request(url).post(`/agent/workbench/calls/${callId}`).send({ type: 'approve' }))
        .status,
    ).toBe(409);
    expect(removed).toEqual([]);
    expect((await answer('alice')).body).toMatchObject({ status: 'executed' });
    expect(removed).toEqual(['a.txt']);
    expect((await answer('alice')).status).toBe(409);

    const second = await attempt('remove_file', { name: 'b.txt' });
    const declined = await post(url, `/calls/${second.callId}`, { type: 'decline', reason: 'no' });
    expect(declined.body).toMatchObject({ status: 'declined' });
    expect(removed).toEqual(['a.txt']);
  });

  it('answers no call that the application has made for somebody to approve', async () => {
    const { url, app } = await open();
    const calls = app.get(ToolCallFactory);
    const made = await calls.create('remove_file', { name: 'c' }, { principal: 'alice' });
    expect(made.response.status).toBe('awaiting_approval');
    const { status } = await request(url)
      .post(`/agent/workbench/calls/${made.id}`)
      .set(as('alice'))
      .send({ type: 'approve' });
    expect(status).toBe(409);
    expect(made.response.status).toBe('awaiting_approval');
  });

  it('refuses calls that no body can mean', async () => {
    for (const body of [{}, { tool: 7 }, { tool: 'add', input: [] }]) {
      expect((await post(url, '/calls', body)).status).toBe(400);
    }
    expect((await post(url, '/calls/try_x', { type: 'result', result: 1 })).status).toBe(400);
    const form = request(url).post('/agent/workbench/calls').set(as('alice'));
    expect((await form.type('form').send('tool=add')).status).toBe(415);
  });

  it('tells of hostile texts as texts', async () => {
    const tried = await attempt('evil', { text: EVIL });
    expect(tried).toMatchObject({ status: 'executed', result: { [EVIL]: EVIL } });
    const { headers } = await get(url, '/tools/evil');
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  describe('runs', () => {
    const STEPS = [
      {
        text: 'Let me log in.',
        toolCalls: [{ name: 'open_door', input: { id: 7, user: 'a', pin: 'pin-1234' } }],
      },
      { toolCalls: [{ name: 'remove_file', input: { name: 'c.txt' } }] },
      'It is done.',
    ];
    const converse = async (options: AgentAppOptions = {}) => {
      const opened = await open({
        steps: STEPS,
        systemPrompt: ({ principal }) => `You help ${principal}.`,
        budget: { cost: { max: 1_000, prices: { scripted: { input: 1_000_000, output: 0 } } } },
        ...options,
      });
      const chat = await request(opened.url)
        .post('/agent/chat')
        .set(as('alice'))
        .send({ message: 'Open door 7 and remove c.txt' });
      const { sessionId, runId, pendingActions } = chat.body;
      await request(opened.url)
        .post(`/agent/runs/${runId}/actions`)
        .set(as('alice'))
        .send({ actions: [{ callId: pendingActions[0].callId, type: 'approve' }] });
      return { ...opened, sessionId: sessionId as string, runId: runId as string };
    };

    it('are a timeline of their owner, searchable', async () => {
      const { url, sessionId, runId } = await converse();
      const { body } = await get(url, `/sessions/${sessionId}`);
      const [run] = body.runs;
      expect(run).toMatchObject({
        runId,
        status: 'completed',
        message: 'It is done.',
        usage: { totalTokens: 45 },
        cost: 30,
        isTakenBack: false,
      });
      const items = run.items as { type: string; [key: string]: unknown }[];
      expect(items.map(({ type }) => type)).toEqual([
        ...['said', 'model', 'call', 'model', 'call', 'wait', 'parked', 'resumed', 'model'],
      ]);
      expect(items[1]).toMatchObject({
        step: 1,
        cost: 10,
        timing: { totalMs: expect.any(Number), firstTokenMs: expect.any(Number) },
      });
      expect(items[2]).toMatchObject({
        kind: 'route',
        outcome: 'ok',
        input: { id: 7, user: '[redacted]', pin: '[redacted]' },
      });
      expect(items[5]).toMatchObject({ answer: 'approve', action: { name: 'remove_file' } });
      expect(JSON.stringify(body)).not.toContain('pin-1234');
      const found = async (search: string) =>
        ((await get(url, `/runs?search=${search}`)).body.runs as object[]).length;
      expect(await found('C.TXT')).toBe(1);
      expect(await found('no-such-text')).toBe(0);
    });

    it('have the very requests that the model got', async () => {
      const { url, sessionId, runId, model } = await converse();
      for (const [index, sent] of model.requests.entries()) {
        const { body } = await get(
          url,
          `/sessions/${sessionId}/runs/${runId}/requests/${index + 1}`,
        );
        const { request: rebuilt, sources } = body;
        expect(sources).toEqual({ messages: 'journal', system: 'now', tools: 'now' });
        const text = JSON.stringify(sent).replaceAll('pin-1234', '[redacted]');
        const masked = JSON.parse(text.replaceAll('"user":"a"', '"user":"[redacted]"')) as object;
        expect(rebuilt).toEqual(masked);
      }
      expect((await get(url, `/sessions/${sessionId}/runs/${runId}/requests/4`)).status).toBe(404);
    });

    it('tell of an asked agent, its approval and its tokens', async () => {
      const asked = new ScriptedModel(
        [{ toolCalls: [{ name: 'remove_file', input: { name: 'd.txt' } }] }, 'It is removed.'],
        { name: 'asked-model' },
      );
      const { url, sessionId, runId } = await converse({
        steps: [
          { toolCalls: [{ name: 'ask_support', input: { message: 'Remove d.txt' } }] },
          'Support has removed it.',
        ],
        budget: {},
        agents: ['support'],
        imports: [
          AgentModule.forFeature({ name: 'support', description: 'Removes', model: asked }),
        ],
      });
      const { body } = await get(url, `/sessions/${sessionId}`);
      const [run] = body.runs;
      expect(run).toMatchObject({ runId, status: 'completed', usage: { totalTokens: 60 } });
      const items = run.items as { type: string; [key: string]: unknown }[];
      const of = (type: string) => items.filter((item) => item.type === type);
      expect(of('wait')).toMatchObject([
        { answer: 'approve', action: { name: 'remove_file', agent: 'support' } },
      ]);
      expect(of('asked').flatMap(({ told }) => told)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'tool.call', name: 'remove_file' }) as object,
          expect.objectContaining({ delta: 'It is removed.' }) as object,
        ]),
      );
      expect(of('asked_spent')[0]).toMatchObject({ modelName: 'asked-model' });
      // The session of the asked agent is no session of the caller's on either workbench.
      for (const agent of ['agent', 'support']) {
        const { body: list } = await request(url).get(`/${agent}/workbench/runs`).set(as('alice'));
        expect((list.runs as object[]).length).toBe(agent === 'agent' ? 1 : 0);
      }
    });

    it('stay where their owner has replaced them, marked', async () => {
      const { url, sessionId, runId, model } = await converse();
      model.push('Again.');
      const { body: again } = await request(url)
        .post('/agent/chat')
        .set(as('alice'))
        .send({ sessionId, message: 'Only door 7', replaceRun: runId });
      const { body } = await get(url, `/sessions/${sessionId}`);
      expect(body.runs).toMatchObject([
        { runId, isTakenBack: true, message: 'It is done.' },
        { runId: again.runId, isTakenBack: false, question: 'Only door 7', message: 'Again.' },
      ]);
      // The request of the first one still has its own messages alone, and so has the second one's.
      for (const [id, message] of [
        [runId, 'Open door 7 and remove c.txt'],
        [again.runId as string, 'Only door 7'],
      ]) {
        const answered = await get(url, `/sessions/${sessionId}/runs/${id}/requests/1`);
        expect(answered.body.request.messages).toEqual([
          { role: 'user', content: [{ type: 'text', text: message }] },
        ]);
      }
      expect((await get(url, '/runs?search=only')).body.runs).toMatchObject([
        { runId: again.runId },
      ]);
    });

    it('do not exist for others', async () => {
      const { url, sessionId, runId } = await converse();
      const paths = ['', `/runs/${runId}/test`, `/runs/${runId}/requests/1`];
      for (const headers of [as('bob'), {}]) {
        for (const path of paths) {
          const asked = await request(url)
            .get(`/agent/workbench/sessions/${sessionId}${path}`)
            .set(headers);
          expect(asked.status).toBe(404);
        }
        const { body } = await request(url).get('/agent/workbench/runs').set(headers);
        expect(body.runs).toEqual([]);
      }
    });
  });
});
