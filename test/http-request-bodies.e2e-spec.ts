import { map } from 'rxjs';
import request from 'supertest';
import { ADAPTERS, Closers, PAGE_TITLE } from './http/agent-app';
import { SseStream } from './http/sse-client';

const alice = { authorization: 'Bearer alice' };

describe.each(ADAPTERS)('bodies of requests on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const openWaiting = async () => {
    const { url, model } = await apps.open({
      adapter,
      steps: [{ toolCalls: [{ name: 'page_title' }] }, 'Done.'],
    });
    const stream = await SseStream.open(`${url}/agent/chat/stream`, {
      headers: alice,
      body: { message: 'where am I?', frontendTools: [PAGE_TITLE] },
    });
    const { sessionId } = await stream.next('run.started');
    const { callId } = await stream.next('frontend.call');
    const deliver = (body: object) =>
      request(url)
        .post('/agent/chat/tool-result')
        .set(alice)
        .send({ sessionId, callId, ...body });
    return { model, stream, deliver };
  };

  it('reach the model, with null taken for left out', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['Hello.'] });
    const response = await request(url)
      .post('/agent/chat')
      .send({ message: 'hi', environmentContext: ['page: /'], model: null });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: 'completed', message: 'Hello.' });
    expect(model.requests[0]).toMatchObject({
      system: expect.stringContaining('page: /'),
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    });
  });

  it.each([
    [{}, /message/],
    [{ message: '  ' }, /empty/],
    [{ message: 5 }, /string/],
    [{ message: 'hi', extra: 1 }, /extra/],
    [{ message: 'hi', frontendTools: [{ name: 'a', description: 'b' }] }, /input_schema/],
    [
      { message: 'hi', frontendTools: [{ name: 'a', description: 'b', input_schema: {}, x: 1 }] },
      /should not exist/,
    ],
    [{ message: 'hi', toolChoice: 'maybe' }, /toolChoice/],
    [{ message: 'hi', toolChoice: { name: 'a', more: 1 } }, /toolChoice/],
    [{ message: 'hi', environmentContext: [1] }, /environmentContext/],
    [[], /JSON object/],
    [JSON.parse('{"message":"hi","__proto__":{"a":1}}') as object, /__proto__|JSON/],
  ])('start nothing where they are wrong: %j', async (body, message) => {
    const { url, model } = await apps.open({ adapter });
    for (const path of ['chat', 'chat/stream']) {
      const response = await request(url)
        .post(`/agent/${path}`)
        .set(alice)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(body));
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        statusCode: 400,
        error: 'Bad Request',
        code: 'invalid_request',
      });
      expect(String(response.body.message)).toMatch(message);
    }
    expect(model.requests).toHaveLength(0);
    expect((await request(url).get('/agent/sessions').set(alice)).body).toEqual([]);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
  ])('start nothing as %s', async (type) => {
    const { url, model } = await apps.open({ adapter });
    for (const path of ['chat', 'chat/stream', 'chat/tool-result', 'runs/run_1/actions']) {
      const response = await request(url)
        .post(`/agent/${path}`)
        .set('Content-Type', type)
        .send('message=hi');
      expect(response.status).toBe(415);
      expect(response.body).toMatchObject({ statusCode: 415, code: 'unsupported_media_type' });
    }
    expect(model.requests).toHaveLength(0);
  });

  it.each([
    [
      { result: null, error: 'no title' },
      { isError: true, output: /no title/ },
    ],
    [
      { result: 1, error: null },
      { isError: false, output: /^1$/ },
    ],
  ])('bring a result or an error of a browser: %j', async (said, told) => {
    const { stream, deliver } = await openWaiting();
    const both = await deliver({ result: 1, error: 'no' });
    expect(both.body).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect((await deliver(said)).body).toMatchObject({ success: true });
    expect(await stream.next('tool.result')).toMatchObject({
      isError: told.isError,
      output: expect.stringMatching(told.output),
    });
    expect((await stream.all()).at(-1)).toMatchObject({ status: 'completed' });
  });

  it('bring results of many parts to the model', async () => {
    const { model, stream, deliver } = await openWaiting();
    const result = Array.from({ length: 6_000 }, (_, at) => at % 10);
    expect((await deliver({ result })).body).toMatchObject({ success: true });
    await stream.all();
    expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', content: JSON.stringify(result), is_error: false },
    ]);
  });

  it('are read and answered alike, whatever global pipes, prefix and interceptors do', async () => {
    const { url, model } = await apps.open({
      adapter,
      steps: ['One.', 'Two.'],
      prepare: (app) => {
        app.setGlobalPrefix('api');
        app.useGlobalPipes({ transform: () => 'mangled' });
        app.useGlobalInterceptors({
          intercept: (_context, next) => next.handle().pipe(map((data) => ({ data }))),
        });
      },
    });
    const context = 'x'.repeat(300_000);
    const response = await request(url)
      .post('/api/agent/chat')
      .send({ message: 'hi', environmentContext: [context] });
    expect(response.body).toMatchObject({ status: 'completed', message: 'One.' });
    expect(model.requests[0]?.system?.includes(context)).toBe(true);
    const stream = await request(url).post('/api/agent/chat/stream').send({ message: 'hi' });
    expect(stream.text).toMatch(/^id: 1\n/);
    expect(stream.text).not.toContain('"data"');
  });
});
