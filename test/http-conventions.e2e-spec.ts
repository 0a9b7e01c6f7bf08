import { RequestMethod, UseGuards, VersioningType } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import request from 'supertest';
import { ADAPTERS, Closers, LoginGuard } from './http/agent-app';

const alice = { authorization: 'Bearer alice' };

describe.each(ADAPTERS)("an application's own conventions on %s", (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it('apply to the agent: prefix, version, path', async () => {
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
    const chat = await request(url).post('/api/v1/assistant/v2/chat').set(alice).send(body);
    expect(chat.body).toMatchObject({ status: 'completed', message: 'Hello.' });
    expect((await request(url).get('/agent/health')).status).toBe(404);
    const broken = await request(url)
      .post('/api/v1/assistant/v2/v1/chat/completions')
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
      ['post', 'chat'],
      ['post', 'chat/stream'],
      ['post', 'chat/tool-result'],
      ['post', 'runs/x/actions'],
      ['get', 'runs/x'],
      ['delete', 'runs/x'],
      ['get', 'runs/x/events'],
      ['get', 'sessions'],
      ['get', 'sessions/x/messages'],
      ['delete', 'sessions/x'],
      ['delete', 'sessions/x/permissions/y'],
      ['get', 'tools'],
      ['get', 'tools/add'],
      ['post', 'v1/chat/completions'],
      ['get', 'v1/models'],
      ['get', 'v1/models/agent'],
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
      ].sort(),
    );
    expect(document.paths['/agent/chat']?.post).toMatchObject({
      summary: expect.any(String),
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ChatDto' } } },
      },
    });
    expect(document.components?.schemas?.ChatDto).toMatchObject({
      required: ['message'],
      properties: { message: { type: 'string' }, frontendTools: { type: 'array' } },
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
});
