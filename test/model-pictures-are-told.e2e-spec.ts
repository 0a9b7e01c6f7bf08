import request from 'supertest';
import { openai, type AgentEvent } from 'nestjs-agent';
import { frame, ModelServer } from './support/models';
import { Closers, ON_FASTIFY } from './http/agent-app';

const PICTURE = 'iVBORw0KGgo='.repeat(1_000);

describe.each(ON_FASTIFY)("a picture that a provider's tool made, on %s", (adapter) => {
  const apps = new Closers();
  let server: ModelServer;
  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(async () => {
    await apps.close();
    await server.stop();
  });

  const serve = (fields: object) => {
    const call = { type: 'image_generation_call', id: 'ig_1', ...fields };
    const message = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Here it is.', annotations: [] }],
    };
    const done = { type: 'response.output_item.done' };
    server.on({
      chunks: [
        frame({ ...done, output_index: 0, item: call }),
        frame({ ...done, output_index: 1, item: message }),
        frame({
          type: 'response.completed',
          response: { status: 'completed', output: [call, message] },
        }),
      ],
    });
  };
  const ask = async () => {
    const model = openai({ model: 'gpt-5.4', apiKey: 'k', baseURL: server.url, api: 'responses' });
    const { url } = await apps.open({ adapter, model });
    const as = (sent: request.Test) => sent.set('authorization', 'Bearer alice');
    const told = await as(request(url).post('/agent/chat/stream').send({ message: 'Draw a cat' }));
    const events = eventsIn(told.text);
    const again = await as(request(url).get(`/agent/runs/${events[0]?.runId}/events`));
    expect(eventsIn(again.text)).toEqual(events);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(told.text + again.text).not.toContain('iVBOR');
    return events.filter(({ type }) => type === 'provider.tool' || type === 'notice');
  };

  it('is told as lost, by its kind, the same when it is read again', async () => {
    serve({
      status: 'completed',
      output_format: 'webp',
      result: PICTURE,
      revised_prompt: 'A cat',
    });
    expect(await ask()).toMatchObject([
      { type: 'provider.tool', callId: 'ig_1', name: 'image_generation', output: 'A cat' },
      {
        type: 'notice',
        code: 'picture_not_kept',
        message: 'The picture or file that the model made (image/webp) is not kept.',
      },
    ]);
  });

  it('is not missed where there is none', async () => {
    serve({ status: 'failed', result: null });
    expect(await ask()).toMatchObject([{ type: 'provider.tool', name: 'image_generation' }]);
  });
});

function eventsIn(stream: string): AgentEvent[] {
  return [...stream.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as AgentEvent,
  );
}
