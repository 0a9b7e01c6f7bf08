import type { IncomingMessage } from 'node:http';
import { type ArgumentsHost, RequestMethod, UseGuards, VersioningType } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { Barrier } from 'nestjs-agent/testing';
import { merge, Subject } from 'rxjs';
import request from 'supertest';
import { ADAPTERS, Closers, LoginGuard } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };

const apps = new Closers();
afterEach(() => apps.close());

describe.each(ADAPTERS)("an application's own conventions on %s", (adapter) => {
  it('apply to the agent: prefix and path, not their default version', async () => {
    const { url } = await apps.open({
      adapter,
      path: 'assistant/v2',
      steps: ['Hello.'],
      prepare: (app) => {
        app.setGlobalPrefix('api', { exclude: [{ path: 'notes', method: RequestMethod.ALL }] });
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
      },
    });
    const body = { message: 'hi', environmentContext: ['x'.repeat(200_000)] };
    const chat = await request(url).post('/api/assistant/v2/chat').set(alice).send(body);
    expect(chat.body).toMatchObject({ status: 'completed', message: 'Hello.' });
    expect((await request(url).get('/agent/health')).status).toBe(404);
    const broken = await request(url)
      .post('/api/assistant/v2/v1/chat/completions')
      .set('Content-Type', 'application/json')
      .send('{');
    expect(broken.body).toMatchObject({ error: { code: 'invalid_request_error' } });
  });

  it('serve nothing where the path is false', async () => {
    const { url } = await apps.open({ adapter, path: false });
    for (const path of ['agent/health', 'health', 'chat']) {
      expect((await request(url).get(`/${path}`)).status).toBe(404);
    }
  });

  it('guard all endpoints but those for everybody', async () => {
    const { url } = await apps.open({ adapter, decorators: [UseGuards(LoginGuard)] });
    expect((await request(url).get('/agent/health')).status).toBe(200);
    const closed = [
      ['post', 'ag-ui'],
      ['get', 'ag-ui/capabilities'],
      ['get', 'ag-ui/x/messages'],
      ['delete', 'ag-ui/x/run'],
      ['post', 'chat'],
      ['post', 'chat/stream'],
      ['post', 'chat/tool-result'],
      ['post', 'runs/x/actions'],
      ['get', 'runs/x'],
      ['delete', 'runs/x'],
      ['get', 'runs/x/events'],
      ['get', 'sessions'],
      ['post', 'sessions'],
      ['get', 'sessions/x/messages'],
      ['delete', 'sessions/x'],
      ['delete', 'sessions/x/permissions/y'],
      ['get', 'tools'],
      ['get', 'tools/add'],
      ['post', 'ai-sdk'],
      ['get', 'ai-sdk/x/stream'],
      ['delete', 'ai-sdk/x/stream'],
      ['get', 'ai-sdk/x/messages'],
      ['post', 'v1/chat/completions'],
      ['get', 'v1/models'],
      ['get', 'v1/models/agent'],
      ['post', 'v1/responses'],
      ['get', 'v1/responses/x'],
      ['delete', 'v1/responses/x'],
      ['post', 'v1/responses/x/cancel'],
    ] as const;
    for (const [method, path] of closed) {
      const client = request(url);
      const answer = await client[method](`/agent/${path}`);
      expect({ path, status: answer.status }).toEqual({ path, status: 401 });
    }
  });

  it('describe the agent for swagger', async () => {
    const { app } = await apps.open({ adapter });
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/agent'));
    expect(paths.sort()).toEqual(
      [
        '/agent/ag-ui',
        '/agent/ag-ui/capabilities',
        '/agent/ag-ui/{threadId}/messages',
        '/agent/ag-ui/{threadId}/run',
        '/agent/ai-sdk',
        '/agent/ai-sdk/{id}/messages',
        '/agent/ai-sdk/{id}/stream',
        '/agent/chat',
        '/agent/chat/stream',
        '/agent/chat/tool-result',
        '/agent/health',
        '/agent/runs/{runId}',
        '/agent/runs/{runId}/actions',
        '/agent/runs/{runId}/events',
        '/agent/sessions',
        '/agent/sessions/{id}',
        '/agent/sessions/{id}/messages',
        '/agent/sessions/{id}/permissions/{tool}',
        '/agent/tools',
        '/agent/tools/{name}',
        '/agent/v1/chat/completions',
        '/agent/v1/models',
        '/agent/v1/models/{model}',
        '/agent/v1/responses',
        '/agent/v1/responses/{id}',
        '/agent/v1/responses/{id}/cancel',
      ].sort(),
    );
    expect(document.paths['/agent/chat']?.post).toMatchObject({
      summary: expect.any(String),
      requestBody: {
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/AgentChatRequest' } },
        },
      },
    });
    expect(document.components?.schemas?.AgentChatRequest).toMatchObject({
      properties: {
        message: { type: 'string' },
        content: { type: 'array' },
        frontendTools: { type: 'array' },
      },
    });
  });

  it('limit how often a caller may chat, with the throttler of Nest', async () => {
    const { url } = await apps.open({
      adapter,
      steps: ['One.', { text: ['Two', '.'] }],
      imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 2 }])],
      decorators: [UseGuards(LoginGuard, ThrottlerGuard)],
    });
    const chat = (path: string) =>
      request(url).post(`/agent/${path}`).set(alice).send({ message: 'hi' });
    expect((await chat('chat')).status).toBe(200);
    expect((await chat('chat')).status).toBe(200);
    const refused = await chat('chat');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
    const stream = await chat('chat/stream');
    expect(stream.text).toContain('event: run.finished');
    const completion = { model: 'agent', messages: [{ role: 'user', content: 'hi' }] };
    const complete = () =>
      request(url).post('/agent/v1/chat/completions').set(alice).send(completion);
    await complete();
    await complete();
    expect((await complete()).body).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  });

  it('allow as many runs at once as the limit says', async () => {
    const gate = new Promise(() => undefined);
    const { url } = await apps.open({
      adapter,
      limits: { runsPerPrincipal: 1 },
      steps: [[gate]],
      onDisconnect: 'continue',
    });
    const body = JSON.stringify({ message: 'hi' });
    const headers = { ...alice, 'content-type': 'application/json' };
    const abort = new AbortController();
    const first = await fetch(`${url}/agent/chat/stream`, {
      method: 'POST',
      headers,
      body,
      signal: abort.signal,
    });
    await first.body?.getReader().read();
    const second = await request(url).post('/agent/chat').set(alice).send({ message: 'hi' });
    expect(second.body).toMatchObject({ statusCode: 429, code: 'too_many_runs' });
    abort.abort();
  });

  it('reach event streams too: CORS, and headers that interceptors set', async () => {
    const { url } = await apps.open({
      adapter,
      steps: ['Hello.', 'Hello.'],
      prepare: (app) => {
        app.enableCors({ origin: 'https://shop.example' });
        app.useGlobalInterceptors({
          intercept: (context, next) => {
            const response = context
              .switchToHttp()
              .getResponse<{ header(name: string, value: string): void }>();
            response.header('x-trace', 'abc');
            return next.handle();
          },
        });
      },
    });
    const completion = {
      model: 'agent',
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    };
    for (const [path, body] of [
      ['chat/stream', { message: 'hi' }],
      ['v1/chat/completions', completion],
    ] as const) {
      const stream = await request(url)
        .post(`/agent/${path}`)
        .set('Origin', 'https://shop.example')
        .send(body);
      expect(stream.headers['access-control-allow-origin']).toBe('https://shop.example');
      expect(stream.headers['x-trace']).toBe('abc');
      expect(stream.headers['content-type']).toContain('text/event-stream');
    }
  });

  it('may leave parsing to others', async () => {
    const { url } = await apps.open({
      adapter,
      steps: ['Hello.'],
      appOptions: { logger: false, bodyParser: false },
    });
    await expectJsonIsRead(url);
  });

  if (adapter === 'express')
    it.each(['raw', 'text'] as const)('may read every body as %s', async (parser) => {
      const { url } = await apps.open({
        adapter,
        steps: ['Hello.'],
        prepare: (app) => {
          (app as NestExpressApplication).useBodyParser(parser, { type: '*/*' });
        },
      });
      await expectJsonIsRead(url);
    });

  it('cannot break into a stream that has begun', async () => {
    const gate = new Barrier();
    const late = new Subject<never>();
    let told!: (hasBegun: boolean) => void;
    const hasBegun = new Promise<boolean>((resolve) => (told = resolve));
    const { url } = await apps.open({
      adapter,
      steps: [
        [
          { type: 'text.delta', delta: 'One ' },
          gate,
          { type: 'text.delta', delta: 'two.' },
          { type: 'finish', reason: 'end_turn' },
        ],
      ],
      prepare: (app) => {
        app.useGlobalInterceptors({
          intercept: (_context, next) => merge(next.handle(), late),
        });
        app.useGlobalFilters({
          catch: (_error: unknown, host: ArgumentsHost) => {
            const response = host
              .switchToHttp()
              .getResponse<{ status(code: number): { send(body: object): void } }>();
            told(app.getHttpAdapter().isHeadersSent(response));
            response.status(503).send({ intruder: true });
          },
        });
      },
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await gate.reached;
    late.error(new Error('Too late.'));
    expect(await hasBegun).toBe(true);
    gate.open();
    expect((await stream.all()).at(-1)).toMatchObject({
      type: 'run.finished',
      message: 'One two.',
    });
    expect(stream.text).not.toContain('intruder');
  });

  it('close it down: open streams end with what became of their runs', async () => {
    const gate = new Barrier();
    const { app, url } = await apps.open({
      adapter,
      steps: [[{ type: 'text.delta', delta: 'One ' }, gate]],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await gate.reached;
    const closing = app.close();
    expect((await stream.all()).at(-1)).toMatchObject({ type: 'run.finished', status: 'failed' });
    await closing;
  });
  it('close it down with drainMs: answers under way go on, and nothing new begins', async () => {
    const gate = new Barrier();
    const { app, url } = await apps.open({
      adapter,
      shutdown: { drainMs: 60_000 },
      steps: [[{ type: 'text.delta', delta: 'One' }, gate, { type: 'finish', reason: 'end_turn' }]],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await gate.reached;
    const closing = app.close();
    for (const path of ['chat', 'chat/stream']) {
      const refused = await request(url).post(`/agent/${path}`).set(alice).send({ message: 'hi' });
      expect(refused.body).toMatchObject({ statusCode: 503, code: 'shutting_down' });
      expect(refused.headers['retry-after']).toBe('1');
    }
    gate.open();
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed', message: 'One' });
    await closing;
  });

  it('close it down with drainMs: what takes longer is stopped', async () => {
    const gate = new Barrier();
    const { app, url } = await apps.open({
      adapter,
      shutdown: { drainMs: 50 },
      steps: [[{ type: 'text.delta', delta: 'One ' }, gate]],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'hi' },
    });
    await gate.reached;
    await app.close();
    expect((await stream.all()).slice(-2)).toMatchObject([
      { type: 'error', code: 'shutdown' },
      { type: 'run.finished', status: 'failed' },
    ]);
  });

  it('close it down: who has not begun hears that it is no fault of theirs', async () => {
    const gate = new Barrier();
    const { app, url } = await apps.open({
      adapter,
      systemPrompt: async () => {
        await gate.pass();
        return '';
      },
    });
    const chat = request(url).post('/agent/chat').set(alice).send({ message: 'hi' });
    const answered = chat.then((response) => response);
    await gate.reached;
    const closing = app.close();
    expect((await answered).body).toMatchObject({ statusCode: 503, code: 'interrupted' });
    await closing;
  });
});

it('an application may parse bodies as body-parser 1 does, which knows a read body by a mark', async () => {
  type Marked = IncomingMessage & { _body?: boolean };
  const { url } = await apps.open({
    steps: ['Hello.'],
    appOptions: { logger: false },
    prepare: (app) => {
      app.use(function jsonParser(request: Marked, _: unknown, next: (error?: Error) => void) {
        next(request._body || request.readable ? undefined : new Error('not readable'));
      });
    },
  });
  await expectJsonIsRead(url);
});

/** Bodies are parsed, and malformed ones refused. */
async function expectJsonIsRead(url: string): Promise<void> {
  const chat = await request(url).post('/agent/chat').send({ message: 'hi' });
  expect(chat.body).toMatchObject({ status: 'completed' });
  const broken = await request(url)
    .post('/agent/chat')
    .set('Content-Type', 'application/json')
    .send('{');
  expect(broken.body).toMatchObject({ statusCode: 400, code: 'invalid_request' });
}
