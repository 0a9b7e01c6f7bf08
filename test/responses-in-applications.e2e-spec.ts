import { UseGuards } from '@nestjs/common';
import request from 'supertest';
import { ADAPTERS, LoginGuard } from './http/agent-app';
import { compressAll, wraps } from './http/surroundings';
import { refusal, ResponsesApps, streamed } from './front-ends/responses/responses-app';

const origin = 'https://shop.example';

describe.each(ADAPTERS)('Responses in applications of others on %s', (adapter) => {
  const apps = new ResponsesApps();
  afterEach(() => apps.close());

  it('are the same behind a prefix, compression and a wrapper of every answer', async () => {
    const { client } = await apps.serve({
      adapter,
      prefix: '/api',
      steps: ['Hello.', 'Again.'],
      prepare: async (app) => {
        app.setGlobalPrefix('api');
        app.useGlobalInterceptors(wraps);
        app.enableCors({ origin });
        await compressAll(app);
      },
    });
    const whole = await client.responses.create({ input: 'hi' });
    expect(whole.output_text).toBe('Hello.');
    expect((await client.responses.retrieve(whole.id)).output).toEqual(whole.output);
    const { response } = await streamed(client, { input: 'hi', previous_response_id: whole.id });
    expect(response.output_text).toBe('Again.');
    expect(await refusal(client.responses.retrieve('x'))).toMatchObject({ status: 404 });
  });

  it('are streams that browsers of another origin may read, never buffered or cached', async () => {
    const { url } = await apps.serve({
      adapter,
      steps: ['Hello.'],
      prepare: (app) => app.enableCors({ origin }),
    });
    const answer = await request(url)
      .post('/agent/v1/responses')
      .set('origin', origin)
      .send({ input: 'hi', stream: true });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': expect.stringContaining('no-store'),
    });
    const frames = answer.text.trim().split('\n\n');
    expect(frames.at(-1)).toBe('data: [DONE]');
    for (const frame of frames.slice(0, -1)) {
      const [, name, data = ''] = /^event: (.+)\ndata: (.+)$/.exec(frame) ?? [];
      expect(JSON.parse(data)).toMatchObject({ type: name });
    }
  });

  it('are refused in the words of OpenAI, also by guards', async () => {
    const { client, connect, url } = await apps.serve({
      adapter,
      decorators: [UseGuards(LoginGuard)],
    });
    expect(await refusal(connect().responses.create({ input: 'hi' }))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    const broken = await request(url)
      .post('/agent/v1/responses')
      .set({ authorization: 'Bearer alice', 'content-type': 'application/json' })
      .send('{');
    expect(broken.body).toMatchObject({ error: { code: 'invalid_request_error' } });
    const form = await request(url)
      .post('/agent/v1/responses')
      .set('authorization', 'Bearer alice')
      .type('form')
      .send({ input: 'hi' });
    expect(form.status).toBe(415);
    expect(await refusal(client.responses.compact({ model: 'agent' }))).toMatchObject({
      status: 404,
    });
  });

  it.each([
    [{ openai: false }, 404, 404],
    [{ openai: { responses: false } }, 404, 200],
    [{ agUi: false, aiSdk: false }, 200, 200],
  ])('are served as the option says: %j', async (protocols, responses, completions) => {
    const { url } = await apps.serve({ adapter, protocols, steps: ['One.', 'Two.'] });
    const ask = (path: string, body: object) => request(url).post(`/agent/v1/${path}`).send(body);
    const messages = [{ role: 'user', content: 'hi' }];
    expect((await ask('responses', { input: 'hi' })).status).toBe(responses);
    const completion = await ask('chat/completions', { model: 'agent', messages });
    expect(completion.status).toBe(completions);
  });
});
