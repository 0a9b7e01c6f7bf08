import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage } from 'ai';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ModelError, resultText } from 'nestjs-agent';
import type { ContentBlock } from 'nestjs-agent/types';
import type { ScriptedStep } from 'nestjs-agent/testing';
import type OpenAI from 'openai';
import request from 'supertest';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows, guideText } from '../../../test/support/guide-text';
import { ask as askWithAiSdk } from './ai-sdk';
import { AppModule } from './app.module';
import { ask, askWithTools, connect, stream } from './client';

const TEXT = guideText('openai-compatible');
const ROWS = guideRows('openai-compatible');
const order = { text: 'Let me see.', toolCalls: [{ name: 'get_order', input: { id: 17 } }] };

function text(name: string): string {
  return readFileSync(join(__dirname, name), 'utf8');
}

describe('the guide to the OpenAI endpoint', () => {
  let guide: GuideApp;
  let client: OpenAI;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
    client = connect('ada', `${guide.url}/agent`);
  });
  afterAll(() => guide.close());

  const asking = { model: 'shop-agent', messages: [{ role: 'user', content: 'Hi' }] };
  const complete = (body: object) =>
    guide.post('/agent/v1/chat/completions', { ...asking, ...body });
  /** A step that calls a tool of the client's, by the name it has for the model. */
  const callOwn =
    (name: RegExp): ScriptedStep =>
    ({ tools }) => {
      const own = tools.find((tool) => name.test(tool.name));
      return { toolCalls: [{ name: own?.name ?? 'none', input: { city: 'Oslo' } }] };
    };
  const lastResult = () => {
    const [block] = guide.model.requests.at(-1)?.messages.at(-1)?.content as ContentBlock[];
    return block?.type === 'tool_result' ? resultText(block.content) : undefined;
  };

  it('answers the SDK, with its own tools run inside', async () => {
    guide.model.push(order, 'Order 17 is open.');
    expect(await ask(client, 'And order 17?')).toBe('Let me see.\n\nOrder 17 is open.');
    expect(lastResult()).toBe('{"id":17,"status":"open"}');
  });

  it('streams to the SDK', async () => {
    guide.model.push({ text: ['One ', 'two.'] });
    const pieces: string[] = [];
    expect(await stream(client, 'Count', (piece) => pieces.push(piece))).toBe(15);
    expect(pieces.filter((piece) => piece !== '')).toEqual(['One ', 'two.']);
  });

  it('answers curl', async () => {
    guide.model.push(order, 'Order 17 is open.');
    const command = text('ask.sh').replace('http://127.0.0.1:3000', guide.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const shown = JSON.parse(text('answer.json')) as object;
    const { id, created, ...answer } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ ...shown, ...answer }).toEqual(shown);
    expect([id, created]).toEqual([expect.stringMatching(/^chatcmpl-run_/), expect.any(Number)]);
  });

  it("hands the client's calls to the SDK, and offers what only reads beside them", async () => {
    guide.model.push(callOwn(/weather/), 'It rains.');
    const before = guide.model.requests.length;
    expect(await askWithTools(client, 'Weather in Oslo?')).toBe('It rains.');
    const offered = guide.model.requests[before]?.tools.map(({ name }) => name);
    expect(offered).toEqual(['get_order', expect.stringMatching(/^get_weather_/)]);
    expect(lastResult()).toBe('rain in Oslo');
  });

  it("does the same with Vercel's AI SDK", async () => {
    guide.model.push(callOwn(/weather/), 'It rains.');
    let said = '';
    for await (const piece of askWithAiSdk('ada', 'Weather?', `${guide.url}/agent`)) said += piece;
    expect(said).toBe('It rains.');
  });

  it('converses with its package for OpenAI, unless that refers to texts by their ids', async () => {
    const shop = createOpenAI({ baseURL: `${guide.url}/agent/v1`, apiKey: 'grace' });
    const first: ModelMessage = { role: 'user', content: 'Hi' };
    const converse = async (model: ReturnType<typeof shop>, store: boolean) => {
      const asked = { model, maxRetries: 0, providerOptions: { openai: { store } } };
      const { response } = await generateText({ ...asked, messages: [first] });
      const messages = [first, ...response.messages, { ...first, content: 'How are you?' }];
      return (await generateText({ ...asked, messages })).text;
    };
    guide.model.push('Hello.', 'Good.');
    expect(await converse(shop('shop-agent'), false)).toBe('Good.');
    guide.model.push('Hello.', 'Good.');
    expect(await converse(shop.chat('shop-agent'), true)).toBe('Good.');
    guide.model.push('Hello.');
    await expect(converse(shop('shop-agent'), true)).rejects.toThrow('item_reference');
  });

  it('runs nothing that would have to ask', async () => {
    guide.model.push({ toolCalls: [{ name: 'cancel_order', input: { id: 17 } }] }, 'I cannot.');
    await complete({});
    const offered = guide.model.requests.at(-1)?.tools.map(({ name }) => name);
    expect(offered).toEqual(['get_order', 'add_note']);
    expect(lastResult()).toEqual(expect.any(String));
    expect(TEXT).toContain(lastResult());
  });

  it('refuses a name that the server has', async () => {
    const clash = { type: 'function', function: { name: 'get_order', parameters: {} } };
    const { status, body } = await complete({ tools: [clash] });
    expect(status).toBe(400);
    expect(TEXT).toContain((body as { error: Error }).error.message.replace(/^.*?: /, ''));
  });

  const refused = ROWS.filter(([, value = '']) => /^(never|[[{\d]|true|false)/.test(value)).flatMap(
    ([fields = '', value = '']) =>
      [...fields.matchAll(/\w+/g)].map(([field]) => [field, value] as const),
  );
  it.each(refused)('takes %s as the guide says: %s', async (field, value) => {
    const other = await complete({ [field]: 'something else' });
    expect(other.body).toMatchObject({ error: { param: field, code: 'unsupported_parameter' } });
    if (value === 'never') return;
    guide.model.push('Fine.');
    expect((await complete({ [field]: JSON.parse(value) as unknown })).status).toBe(200);
  });

  it('names all fields that it refuses or leaves unheeded', async () => {
    expect(refused).toHaveLength(7);
    const [, ignored = ''] = /are ignored: (.*?)\./.exec(TEXT) ?? [];
    const fields = [...ignored.matchAll(/`(\w+)`/g)].map(([, field]) => field);
    guide.model.push('Fine.');
    const { status } = await complete(Object.fromEntries(fields.map((field) => [field, 'x'])));
    expect({ status, count: fields.length }).toEqual({ status: 200, count: 11 });
  });

  it('shows an error', async () => {
    expect((await complete({ n: 2 })).body).toEqual(JSON.parse(text('error.json')));
  });

  const failing = (error: ModelError) => {
    guide.model.push(error);
    return complete({});
  };
  it.each([
    ['400', 'unsupported_parameter', () => complete({ n: 2 })],
    ['403', 'permission_denied', () => complete({}).set('authorization', 'Bearer eve')],
    ['404', 'model_not_found', () => complete({ model: 'gpt-4.1' })],
    ['429', 'rate_limit_exceeded', () => failing(new ModelError('model_rate_limited', 'Busy.'))],
    ['5xx', 'server_error', () => failing(new ModelError('model_unavailable', 'Away.'))],
  ])('words %s with %s', async (shown, code, send) => {
    const { status, body } = await send();
    const [, type, codes] = ROWS.find(([cell]) => cell === shown) ?? [];
    expect(String(status)).toMatch(new RegExp(`^${shown.replace('xx', '..')}$`));
    expect(body).toMatchObject({ error: { type, code } });
    expect(codes).toContain(code);
  });

  it('lists its models and takes their names', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(['shop-agent', 'scripted', 'careful']);
    expect((await complete({ model: 'careful' })).status).toBe(200);
  });

  it('keeps nothing', async () => {
    expect((await guide.get('/agent/sessions')).body).toEqual([]);
    expect((await request(guide.url).get('/agent/v1/models')).status).toBe(403);
  });
});
