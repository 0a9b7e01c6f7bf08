import { Injectable, Logger } from '@nestjs/common';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { fallback, openai, Tool, Toolkit, type AgentEvent, type ChatModel } from 'nestjs-agent';
import { aiSdk } from 'nestjs-agent/ai-sdk';
import { anthropic } from 'nestjs-agent/anthropic';
import {
  DONE,
  finish,
  frame,
  ModelServer,
  type Reply,
  text,
  toolCall,
  USAGE,
} from './support/models';
import { Closers, type AgentAppOptions } from './http/agent-app';

/** The right header before a body that is no picture. */
const png = (body: string) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(body)]).toString('base64');
const BROKEN = png('torn off in the middle');
const GOOD = png('a cat, as far as this service can tell');
const attached = (data: string) => [{ type: 'image', mediaType: 'image/png', data }];
const event = (type: string, more = {}) => `event: ${type}\n${frame({ type, ...more })}`;

const OPENAI = { chunks: [text('fine'), finish('stop'), USAGE, DONE] };
const MESSAGES = {
  chunks: [
    event('message_start', { message: { usage: { input_tokens: 3 } } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: 'fine' } }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
    event('message_stop'),
  ],
};

@Toolkit({ description: 'A camera' })
@Injectable()
class Camera {
  @Tool({ description: 'Look', readOnly: true })
  look(): unknown {
    return attached(BROKEN);
  }
}

describe('an attachment that the provider refuses', () => {
  const apps = new Closers();
  let server: ModelServer;
  // The refusals are logged.
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(async () => {
    await apps.close();
    await server.stop();
  });

  const refusal = (message: string, status = 400): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify({ error: { type: 'invalid_request_error', message } })],
  });

  /** Asks in one conversation, in which a provider refuses every request with what it cannot read. */
  const conversation = async (options: AgentAppOptions) => {
    const { url } = await apps.open(options);
    let sessionId: string | undefined;
    return async (body: object): Promise<readonly AgentEvent[]> => {
      const response = await fetch(`${url}/agent/chat/stream`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
        body: JSON.stringify({ ...body, sessionId }),
      });
      const events = eventsIn(await response.text());
      const [begun] = events;
      if (begun?.type === 'run.started') ({ sessionId } = begun);
      const read = { headers: { authorization: 'Bearer alice' } };
      const again = await fetch(`${url}/agent/runs/${begun?.runId}/events`, read);
      expect(eventsIn(await again.text())).toEqual(events);
      return events;
    };
  };
  const sent = () => server.requests.map(({ body }) => JSON.stringify(body));
  const noticed = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === 'notice');
  const chat = (options = {}) =>
    openai({ model: 'm', apiKey: 'k', baseURL: server.url, retry: { maxAttempts: 1 }, ...options });

  it.each<[string, () => ChatModel, Reply, string]>([
    [
      'openai()',
      chat,
      OPENAI,
      'The image data you provided does not represent a valid image. Please check your input.',
    ],
    [
      'openai() with the Responses API',
      () => chat({ api: 'responses' }),
      {
        chunks: [
          frame({ type: 'response.output_text.delta', output_index: 0, delta: 'fine' }),
          frame({ type: 'response.completed', response: { status: 'completed', output: [] } }),
        ],
      },
      'You uploaded an unsupported image. Please make sure your image is valid.',
    ],
    [
      'anthropic()',
      () => anthropic({ model: 'c', apiKey: 'k', baseURL: new URL(server.url).origin }),
      MESSAGES,
      'Could not process image',
    ],
    [
      'aiSdk()',
      () => aiSdk(createOpenAICompatible({ name: 'x', baseURL: server.url })('m')),
      OPENAI,
      'Invalid PNG image',
    ],
    [
      'fallback()',
      () => fallback([chat(), chat()]),
      OPENAI,
      'Unable to process input image. Please retry.',
    ],
  ])('is left out of the conversation, which goes on: %s', async (_, make, answer, message) => {
    server.always((body) => (JSON.stringify(body).includes(BROKEN) ? refusal(message) : answer));
    const ask = await conversation({ model: make() });
    const events = await ask({ message: 'What is it?', content: attached(BROKEN) });
    expect(events.at(-1)).toMatchObject({ status: 'completed', message: 'fine' });
    expect(noticed(events)).toMatchObject([{ code: 'attachment_not_seen' }]);
    expect(sent().at(-1)).toMatch(/What is it\?.*You cannot see it/);
    const before = sent().length;
    const next = await ask({ message: 'And this?', content: attached(GOOD) });
    expect(next.at(-1)).toMatchObject({ status: 'completed' });
    expect(noticed(next)).toEqual([]);
    expect(sent()).toHaveLength(before + 1);
    expect(sent().at(-1)).toContain(GOOD);
  });

  it('stays in the conversation that its owner reads', async () => {
    const refused = refusal('Could not process image');
    server.always((body) => (JSON.stringify(body).includes(BROKEN) ? refused : OPENAI));
    const { url } = await apps.open({ model: chat() });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer alice' };
    const body = JSON.stringify({ message: 'What is it?', content: attached(BROKEN) });
    const answer = await fetch(`${url}/agent/chat`, { method: 'POST', headers, body });
    const { sessionId } = (await answer.json()) as { sessionId: string };
    const read = await fetch(`${url}/agent/sessions/${sessionId}/messages`, { headers });
    const said = await read.text();
    expect(said).toContain(BROKEN);
    expect(said).not.toContain('You cannot see it');
  });

  it('is left out without those that were read before', async () => {
    const refused = refusal('messages.2.content.1.image.source.base64: image cannot be empty');
    server.always((body) => (JSON.stringify(body).includes(BROKEN) ? refused : OPENAI));
    const ask = await conversation({ model: chat() });
    await ask({ message: 'What is it?', content: attached(GOOD) });
    await ask({ message: 'And this?', content: attached(BROKEN) });
    expect(sent().at(-1)).toContain(GOOD);
    expect(sent()).toHaveLength(3);
  });

  it('is left out with all others if the model that took over sees none', async () => {
    const refused = refusal('No endpoints found that support image input', 404);
    server.always((body) =>
      body.model === 'blind' && JSON.stringify(body).includes('image_url') ? refused : OPENAI,
    );
    const models = { blind: chat({ model: 'blind' }) };
    const ask = await conversation({ model: chat(), models });
    await ask({ message: 'What is it?', content: attached(GOOD) });
    const events = await ask({ message: 'And now?', model: 'blind' });
    expect(events.at(-1)).toMatchObject({ status: 'completed', message: 'fine' });
    expect(noticed(events)).toHaveLength(1);
  });

  it('is left out if it comes from a tool', async () => {
    server.on({
      chunks: [toolCall(0, { id: 'c', name: 'look', args: '{}' }), finish('tool_calls'), DONE],
    });
    const refused = refusal('Failed to load image: cannot identify image file');
    server.always((body) => (JSON.stringify(body).includes(BROKEN) ? refused : OPENAI));
    const ask = await conversation({ model: chat(), providers: [Camera] });
    const events = await ask({ message: 'Look' });
    expect(events.at(-1)).toMatchObject({ status: 'completed', message: 'fine' });
    expect(sent()).toHaveLength(3);
  });

  it('stays if the request without it fails, too', async () => {
    server
      .on(refusal('Could not process image'))
      .on(refusal('No', 500))
      .always(() => OPENAI);
    const ask = await conversation({ model: chat() });
    const events = await ask({ message: 'What is it?', content: attached(GOOD) });
    expect(events.at(-1)).toMatchObject({ status: 'failed' });
    expect(noticed(events)).toEqual([]);
    expect(sent()).toHaveLength(2);
    await ask({ message: 'And now?' });
    expect(sent().at(-1)).toContain(GOOD);
  });

  it.each([
    ["Invalid schema for function 'fetch_page'", 400],
    ['Could not fetch the upstream answer', 502],
    ['models/m-image is not found, or is not supported', 404],
  ])('stays if the provider has another reason: %s', async (message, status) => {
    server.on(refusal(message, status)).always(() => OPENAI);
    const ask = await conversation({ model: chat() });
    const events = await ask({ message: 'What is it?', content: attached(GOOD) });
    expect(events.at(-1)).toMatchObject({ status: 'failed' });
    expect(server.requests).toHaveLength(1);
    await ask({ message: 'And now?' });
    expect(sent().at(-1)).toContain(GOOD);
  });
});

function eventsIn(stream: string): AgentEvent[] {
  return [...stream.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as AgentEvent,
  );
}
