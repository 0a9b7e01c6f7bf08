import { once } from 'node:events';
import http from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import {
  DEFAULT_ATTACHMENTS,
  InvalidInputError,
  ToolNotFoundError,
  QueueFullError,
  type StartOptions,
} from '../run';
import {
  SessionBusyError,
  SessionNotFoundError,
  SessionStoreError,
  TooManyRunsError,
} from '../session';
import { ADAPTERS, httpApp, type HttpAppOptions } from './fixtures/http-app';
import { HELLO, resultOf, ScriptedRun } from './fixtures/scripted-agent';

describe.each(ADAPTERS)('the endpoints on %s', (adapter) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const serve = async (options: Omit<HttpAppOptions, 'adapter'>) => {
    const app = await httpApp({ ...options, adapter });
    closers.push(() => app.close());
    return { url: await app.getUrl() };
  };
  const hello = { start: () => Promise.resolve(ScriptedRun.of(HELLO)) };

  it('streams frames with ids and ends the stream', async () => {
    const { url } = await serve({ agent: hello });
    const response = await request(url)
      .post('/agent/chat/stream')
      .set('Accept', 'text/event-stream')
      .send({ message: 'hi' });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-cache, no-store, no-transform');
    expect(response.headers['x-accel-buffering']).toBe('no');
    expect(response.text).not.toContain('\r');
    const frames = response.text.split('\n\n').slice(0, -1);
    expect(frames).toHaveLength(3);
    expect(frames[1]).toBe(
      'id: 2\nevent: text.delta\ndata: {"type":"text.delta","delta":"Hello","runId":"run_1","seq":2}',
    );
  });

  const numbered = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}`, at]));
  it.each([
    ['chat', numbered],
    ['chat', { message: 'hi', frontendTools: Array.from({ length: 6_000 }, () => ({})) }],
    ['chat', { message: 'hi', frontendTools: [numbered] }],
    ['runs/run_1/actions', { actions: [[Array.from({ length: 6_000 }, () => 1)]] }],
  ])('does not spend seconds on validating a body of many parts: %s', async (path, body) => {
    const { url } = await serve({ agent: {} });
    const response = await request(url).post(`/agent/${path}`).send(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      code: 'invalid_request',
      message: ['The body has more than 5000 keys and list items.'],
    });
  });

  it('tells of so many problems of a body and no more', async () => {
    const { url } = await serve({ agent: {} });
    const frontendTools = Array.from({ length: 500 }, () => ({}));
    const response = await request(url).post('/agent/chat').send({ message: 'hi', frontendTools });
    expect(response.status).toBe(400);
    expect(response.body.message).toHaveLength(20);
  });

  it.each(['{', '', 'nothing', '{"message":"hi"'])('refuses the text %j as JSON', async (text) => {
    const { url } = await serve({ agent: hello });
    const response = await request(url)
      .post('/agent/chat')
      .set('Content-Type', 'application/json')
      .send(text);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  });

  it('takes bodies up to its own limit, not the one of the application', async () => {
    // Express has a limit of 100 kB, Fastify of 1 MiB.
    const limits = {
      bodyBytes: 2_000_000,
      attachments: false,
      attachmentBytes: false,
      uiBodyBytes: 2_000_000,
      historyMessages: 1,
    } as const;
    const { url } = await serve({ agent: hello, http: { limits } });
    const large = JSON.stringify({ message: 'hi', environmentContext: ['x'.repeat(1_900_000)] });
    const send = (body: string) =>
      request(url).post('/agent/chat').set('Content-Type', 'application/json').send(body);
    expect((await send(large)).status).toBe(200);
    const refused = await send(' '.repeat(2_000_001));
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({ statusCode: 413, code: 'body_too_large' });
  });

  it('allows more bytes for attachments, but not for other values', async () => {
    const limits = {
      bodyBytes: 10_000,
      attachments: DEFAULT_ATTACHMENTS,
      attachmentBytes: 4_000_000,
      uiBodyBytes: 10_000,
      historyMessages: 1,
    };
    const { url } = await serve({ agent: hello, http: { limits } });
    const send = (body: string) =>
      request(url).post('/agent/chat').set('Content-Type', 'application/json').send(body);
    const picture = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(3_000_000) };
    expect((await send(JSON.stringify({ message: 'hi', content: [picture] }))).status).toBe(200);
    const many = `{"message":"hi","content":[${'{},'.repeat(1_000_000)}{}]}`;
    expect((await send(many)).body).toMatchObject({
      statusCode: 413,
      code: 'body_too_large',
      message: 'The body is larger than 10000 bytes.',
    });
  });

  it.each([
    [new InvalidInputError('no', ['first', 'second']), 400, 'invalid_input'],
    [new SessionNotFoundError(), 404, 'session_not_found'],
    [new SessionBusyError(), 409, 'session_busy'],
    [new TooManyRunsError(8), 429, 'too_many_runs'],
    [Object.assign(new Error('secret at /srv/app.js'), { stack: 'x' }), 500, 'internal_error'],
  ])('answers %p in the envelope, on both chat endpoints', async (error, status, code) => {
    const { url } = await serve({ agent: { start: () => Promise.reject(error) } });
    for (const path of ['chat', 'chat/stream']) {
      const response = await request(url).post(`/agent/${path}`).send({ message: 'hi' });
      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({ statusCode: status, code });
      expect(response.text).not.toMatch(/secret|\.js/);
    }
  });

  it.each([new TooManyRunsError(8), new QueueFullError()])(
    'says when to come back: %s',
    async (error) => {
      const { url } = await serve({ agent: { start: () => Promise.reject(error) } });
      const { headers } = await request(url).post('/agent/chat').send({ message: 'hi' });
      expect(headers['retry-after']).toBe('5');
    },
  );

  it('says when to come back where the store is away, in each protocol, and why in the log', async () => {
    const away = new SessionStoreError('store_unavailable', 'db.internal cannot be reached.');
    const fails = () => Promise.reject(away);
    const error = jest.fn();
    const { url } = await serve({
      agent: { start: fails, complete: fails, run: fails },
      sessions: { list: fails },
      prepare: (app) => app.useLogger({ log: jest.fn(), warn: jest.fn(), error }),
    });
    const client = request(url);
    const completion = { model: 'agent', messages: [{ role: 'user', content: 'hi' }] };
    const answers = [
      await client.post('/agent/chat').send({ message: 'hi' }),
      await client.post('/agent/chat/stream').send({ message: 'hi' }),
      await client.get('/agent/runs/run_1'),
      await client.get('/agent/sessions'),
      await client.post('/agent/v1/chat/completions').send(completion),
    ];
    expect(error).toHaveBeenCalledTimes(answers.length);
    for (const { status, headers, text } of answers) {
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('5');
      expect(text).toMatch(/store_unavailable|server_error/);
      expect(text).not.toContain('db.internal');
    }
  });

  it('answers a failed run with its own status, its ids and when to try again', async () => {
    const failed = resultOf({
      status: 'failed',
      stopReason: 'error',
      error: {
        code: 'model_rate_limited',
        message: 'The model is busy.',
        httpStatus: 429,
        retryAfterMs: 1_500,
      },
    });
    const { url } = await serve({
      agent: { start: () => Promise.resolve(ScriptedRun.of([], failed)) },
    });
    const response = await request(url).post('/agent/chat').send({ message: 'hi' });
    expect(response.status).toBe(429);
    expect(response.headers['retry-after']).toBe('2');
    expect(response.body).toEqual({
      statusCode: 429,
      message: 'The model is busy.',
      error: 'Too Many Requests',
      code: 'model_rate_limited',
      sessionId: 'ses_1',
      runId: 'run_1',
    });
  });

  it('cancels the run of a client that goes away, unless told otherwise', async () => {
    for (const onDisconnect of ['cancel', 'continue'] as const) {
      const runs: ScriptedRun[] = [];
      let begun!: () => void;
      const begin = new Promise<void>((resolve) => (begun = resolve));
      const { url } = await serve({
        http: { onDisconnect },
        agent: {
          start: (_input: unknown, options: StartOptions) => {
            const run = new ScriptedRun(options);
            run.push({ type: 'text.delta', delta: 'x' });
            runs.push(run);
            begun();
            return Promise.resolve(run);
          },
        },
      });
      const call = http.request(`${url}/agent/chat/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      call.on('error', () => undefined);
      const answered = once(call, 'response');
      call.end(JSON.stringify({ message: 'hi' }));
      await begin;
      const [response] = (await answered) as [http.IncomingMessage];
      await once(response, 'data');
      call.destroy();
      if (onDisconnect === 'cancel') await runs[0]?.finished;
      else {
        await request(url).get('/agent/health');
        runs[0]?.end();
      }
      expect(runs[0]?.isCancelled).toBe(onDisconnect === 'cancel');
    }
  });

  it('keeps its answers out of caches', async () => {
    const agent = {
      ...hello,
      run: () => Promise.resolve(resultOf()),
      tools: () => [],
      tool: () => Promise.reject(new ToolNotFoundError('none')),
      events: () => Promise.resolve(ScriptedRun.of(HELLO).events(3)),
      complete: () => Promise.resolve(ScriptedRun.of(HELLO)),
    };
    const sessions = { list: () => [], transcript: () => [], clear: () => Promise.resolve() };
    const { url } = await serve({ agent, sessions });
    const client = request(url);
    const completion = { model: 'agent', messages: [{ role: 'user', content: 'hi' }] };
    const answers = [
      await client.post('/agent/chat').send({ message: 'hi' }),
      await client.get('/agent/runs/run_1'),
      await client.get('/agent/runs/run_1/events'),
      await client.get('/agent/sessions'),
      await client.get('/agent/sessions/ses_1/messages'),
      await client.delete('/agent/sessions/ses_1'),
      await client.get('/agent/tools'),
      await client.get('/agent/tools/none'),
      await client.get('/agent/health'),
      await client.get('/agent/v1/models'),
      await client.post('/agent/v1/chat/completions').send(completion),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 204, 200, 200, 204, 200, 404, 200, 200, 200,
    ]);
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(
      answers.map(() => 'no-store'),
    );
  });

  it('tells its health', async () => {
    const { url } = await serve({ agent: {} });
    const response = await request(url).get('/agent/health');
    expect(response.body).toEqual({
      status: 'ok',
      model: 'scripted',
      timestamp: expect.any(String),
    });
  });
});

describe('compressed bodies on express', () => {
  let app: INestApplication | undefined;
  afterEach(() => app?.close());

  const send = async (encoding: string, body: Buffer) => {
    app = await httpApp({ agent: { start: () => Promise.resolve(ScriptedRun.of(HELLO)) } });
    const call = http.request(`${await app.getUrl()}/agent/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    });
    const answered = once(call, 'response');
    call.end(body);
    const [response] = (await answered) as [http.IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const hi = Buffer.from('{"message":"hi"}');

  it.each([
    ['gzip', gzipSync(hi), 200],
    ['deflate', deflateSync(hi), 200],
    ['br', brotliCompressSync(hi), 200],
    ['identity', hi, 200],
    ['zstd', hi, 415],
    ['gzip', hi, 400],
    ['gzip', gzipSync(hi).subarray(0, 12), 400],
    ['gzip', gzipSync(Buffer.alloc(50_000_000, ' ')), 413],
  ])('reads %s within the limit', async (encoding, body, status) => {
    expect(await send(encoding, body)).toBe(status);
  });
});
