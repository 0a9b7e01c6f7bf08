import { Test } from '@nestjs/testing';
import {
  AGENT_MODEL,
  AgentService,
  fallback,
  ModelError,
  openai,
  textMessage,
  type ChatModel,
  type GenerationError,
  type ModelEvent,
} from 'nestjs-agent';
import {
  azureOpenAi,
  deepSeek,
  miniMax,
  mistral,
  moonshot,
  ollama,
  openRouter,
  vllm,
  zhipu,
} from 'nestjs-agent/models';
import { ScriptedModel, type ScriptedStep } from 'nestjs-agent/testing';
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici';
import { GuideApp } from '../../../test/support/guide-app';
import { guideRows, guideText } from '../../../test/support/guide-text';
import { AddressService } from './address.service';
import { AppModule } from './app.module';
import { BoundedModule } from './bounded.module';
import { examples } from './providers';

const TEXT = guideText('models');
const rows = guideRows('models');
const presets = {
  azureOpenAi,
  deepSeek,
  miniMax,
  mistral,
  moonshot,
  ollama,
  openRouter,
  vllm,
  zhipu,
};
const QUESTION = { messages: [textMessage('user', 'hello')], tools: [] };

interface Call {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

interface SentRequest {
  readonly origin?: string;
  readonly path: string;
  readonly headers?: unknown;
  readonly body?: unknown;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** Stands in for the providers: answers each request with the next reply. */
class Providers {
  readonly calls: Call[] = [];
  private readonly replies: Reply[] = [];
  private readonly before = getGlobalDispatcher();
  private readonly network = new MockAgent();

  constructor() {
    this.network.disableNetConnect();
    this.network
      .get(/./)
      .intercept({ path: () => true, method: 'POST' })
      .reply((request) => this.take(request))
      .persist();
    setGlobalDispatcher(this.network);
  }

  says(text: string): void {
    const events = [{ delta: { content: text } }, { delta: {}, finish_reason: 'stop' }];
    const body = events.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`);
    this.streams(`${body.join('')}data: [DONE]\n\n`);
  }

  saysAsResponse(text: string): void {
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: text };
    const response = { status: 'completed', output: [] };
    const events = [delta, { type: 'response.completed', response }];
    this.streams(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  }

  saysAsAnthropic(text: string): void {
    const events = [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ];
    const body = events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`);
    this.streams(body.join(''));
  }

  fails(status: number, error: object = {}, headers: Record<string, string> = {}): void {
    this.replies.push({ status, headers, body: JSON.stringify(error) });
  }

  forget(): void {
    this.calls.length = this.replies.length = 0;
  }

  close(): Promise<void> {
    setGlobalDispatcher(this.before);
    return this.network.close();
  }

  private streams(body: string): void {
    this.replies.push({ body, headers: { 'content-type': 'text/event-stream' } });
  }

  private take({ origin, path, headers, body }: SentRequest) {
    this.calls.push({
      url: `${origin ?? ''}${path}`,
      headers: new Headers(headers as Headers),
      body: JSON.parse(String(body)) as Call['body'],
    });
    const { status = 200, headers: own = {}, body: data } = this.replies.shift() ?? NO_REPLY;
    return { statusCode: status, data, responseOptions: { headers: own } };
  }
}

const NO_REPLY: Reply = { status: 418, body: '{}' };

async function eventsOf(model: ChatModel): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const { signal } = new AbortController();
  for await (const event of model.stream(QUESTION, { signal })) events.push(event);
  return events;
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the guide to models', () => {
  const environment = { ...process.env };
  let providers: Providers;
  beforeAll(() => {
    providers = new Providers();
  });
  beforeEach(() => {
    providers.forget();
    process.env.OPENAI_API_KEY = 'openai-key';
    process.env.ANTHROPIC_API_KEY = 'anthropic-key';
  });
  afterEach(() => {
    process.env = { ...environment };
  });
  afterAll(() => providers.close());

  it.each(Object.entries(presets))('tells address and key of %s', async (name, make) => {
    const [, variable = '', address = ''] = rows.find(([cell]) => cell === name) ?? [];
    if (variable !== 'none') process.env[variable] = 'the-key';
    const isAzure = name === 'azureOpenAi';
    const options = { model: 'm', name: 'clients see this' };
    const model = isAzure
      ? presets.azureOpenAi({ ...options, resource: 'my-company' })
      : (make as typeof presets.ollama)(options);
    const path = isAzure ? 'responses' : 'chat/completions';
    if (path === 'responses') providers.saysAsResponse('Hello.');
    else providers.says('Hello.');
    expect(await eventsOf(model)).toContainEqual({ type: 'text.delta', delta: 'Hello.' });
    expect(model.name).toBe('clients see this');
    const [call] = providers.calls;
    expect(call?.url).toBe(`${address.replace('<resource>', 'my-company')}/${path}`);
    expect(call?.headers.get('authorization')).toBe(variable === 'none' ? null : 'Bearer the-key');
  });

  it('has examples that ask whom they should', async () => {
    process.env.MISTRAL_API_KEY = process.env.AZURE_OPENAI_API_KEY = 'k';
    for (const name of ['openai', 'thinking', 'azure'] as const) {
      providers.saysAsResponse('Hello.');
      await eventsOf(examples[name]);
    }
    for (const name of ['compatible', 'mistral'] as const) {
      providers.says('Hello.');
      await eventsOf(examples[name]);
    }
    providers.saysAsAnthropic('Hello.');
    await eventsOf(examples.anthropic);
    expect(providers.calls.map(({ url }) => new URL(url).host)).toEqual([
      'api.openai.com',
      'api.openai.com',
      'my-company.openai.azure.com',
      'gpu.example.com:8000',
      'api.mistral.ai',
      'api.anthropic.com',
    ]);
  });

  it('asks the second model where the first fails', async () => {
    providers.fails(503);
    providers.says('Here I am.');
    expect(await eventsOf(examples.fallback)).toMatchObject([{ delta: 'Here I am.' }, {}]);
    expect(examples.fallback.name).toBe('gpt-4.1-mini');
    const retry = { maxAttempts: 1 };
    const both = fallback([
      openai({ model: 'gpt-4.1-mini', retry }),
      ollama({ model: 'qwen3', retry }),
    ]);
    providers.fails(503);
    providers.fails(429);
    const { message } = (await failureOf(eventsOf(both))) as ModelError;
    expect([message, TEXT.includes(message)]).toEqual([message, true]);
  });

  it('streams the stand-in slowly', async () => {
    const started = performance.now();
    const events = await eventsOf(examples.offline);
    const pieces = events.filter(({ type }) => type === 'text.delta').length;
    expect(performance.now() - started).toBeGreaterThan((pieces - 1) * 15);
    expect(examples.offline.capabilities.offline).toBe(true);
  });

  describe('in an application', () => {
    let guide: GuideApp;
    beforeEach(async () => {
      guide = await GuideApp.start(AppModule);
    });
    afterEach(() => guide.close());

    it('lets a request choose among the names', async () => {
      providers.saysAsAnthropic('Carefully.');
      const careful = await guide.chat({ model: 'careful' });
      expect(careful).toMatchObject({ message: 'Carefully.' });
      expect(providers.calls[0]?.body).toMatchObject({
        model: 'claude-sonnet-5-5',
        thinking: { type: 'adaptive' },
      });
      const { body } = await guide.post('/agent/chat', { message: 'Hi', model: 'other' });
      expect(body).toMatchObject({ statusCode: 400, code: 'model_not_found' });
      expect(TEXT).toContain((body as Error).message);
    });

    it('gives a model without tool calls a text protocol', async () => {
      const call = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>';
      providers.says(`I have to add.\n${call}`);
      providers.says('<answer>It is 3.</answer>');
      const result = await guide.chat({ model: 'local' });
      expect(result).toMatchObject({
        message: 'It is 3.',
        toolCalls: [{ name: 'add', input: { a: 1, b: 2 }, output: '3' }],
      });
      expect(providers.calls[0]?.body).not.toHaveProperty('tools');
    });

    it('makes values of a schema', async () => {
      const addresses = guide.app.get(AddressService);
      guide.model.push(
        'Rue du Four 1',
        '```json\n{"street":"Rue du Four 1","postcode":"75006"}\n```',
      );
      const address = await addresses.read('…');
      expect(address).toMatchObject({ street: 'Rue du Four 1', postcode: '75006' });
      expect(address.constructor.name).toBe('AddressDto');
      providers.saysAsAnthropic('{"value":"angry"}');
      expect(await addresses.mood('…')).toBe('angry');
      guide.model.push('{"street":1}', '{"street":1}');
      const error = (await failureOf(addresses.read('…'))) as GenerationError;
      expect(error).toMatchObject({ name: 'GenerationError', code: 'invalid_output' });
      expect([error.message, TEXT.includes(error.message)]).toEqual([error.message, true]);
    });

    it('tells a caller of a limit with its status and when to come again', async () => {
      guide.model.push(new ModelError('model_rate_limited', 'Busy.', { retryAfterMs: 19_400 }));
      const { status, headers, body } = await guide.post('/agent/chat', { message: 'Hi' });
      expect({ status, after: headers['retry-after'] }).toEqual({ status: 429, after: '20' });
      expect(body).toMatchObject({ code: 'model_rate_limited', runId: expect.any(String) });
    });
  });

  it.each([
    ['model_unavailable', 500, {}],
    ['model_overloaded', 503, {}],
    ['model_rate_limited', 429, { 'retry-after': '20' }],
    ['model_authentication', 401, {}],
    ['model_not_found', 404, {}],
    ['model_bad_request', 400, {}],
    ['context_too_long', 413, {}],
  ])('quotes %s and its status', async (code, status, headers) => {
    const model = openai({ model: 'gpt-4.1-mini', retry: { maxAttempts: 1 } });
    providers.fails(status, {}, headers);
    const error = (await failureOf(eventsOf(model))) as ModelError;
    expect(error).toMatchObject({ code });
    const row = rows.find(([cell]) => cell === code);
    expect(row?.[1]).toBe(String(error.httpStatus));
    expect(row?.[2]).toContain(error.message);
  });

  it('quotes a silent model, a spent quota and a missing key', async () => {
    const messages: unknown[] = [];
    const silent = openai({
      model: 'gpt-4.1-mini',
      retry: { maxAttempts: 1 },
      timeouts: { connectMs: 5 },
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    });
    const { message } = (await failureOf(eventsOf(silent))) as ModelError;
    messages.push(message.replace('5 ms', '60000 ms'));
    providers.fails(429, { error: { code: 'insufficient_quota' } });
    messages.push(await failureOf(eventsOf(openai({ model: 'gpt-4.1-mini' }))));
    expect(providers.calls).toHaveLength(1); // a spent quota is not tried again
    delete process.env.OPENAI_API_KEY;
    messages.push(await failureOf(eventsOf(openai({ model: 'gpt-4.1-mini' }))));
    for (const each of messages) {
      const text = each instanceof Error ? each.message : String(each);
      expect([text, TEXT.includes(`\`${text}\``)]).toEqual([text, true]);
    }
  });

  it('ends runs at their bounds', async () => {
    const ask = async (name: string, ...steps: readonly ScriptedStep[]) => {
      const testing = Test.createTestingModule({ imports: [BoundedModule] });
      const model = new ScriptedModel(steps, { name });
      const module = await testing.overrideProvider(AGENT_MODEL).useValue(model).compile();
      await module.init();
      const result = await module.get(AgentService, { strict: false }).chat({ message: 'Add' });
      await module.close();
      return { ...result, requests: model.requests };
    };
    const calls = [{ name: 'add', input: { a: 1, b: 2 } }];
    const usage = { inputTokens: 100_000, outputTokens: 10_000, totalTokens: 110_000 };

    const spent = await ask('gpt-4.1-mini', { toolCalls: calls, usage });
    expect(spent).toMatchObject({ status: 'completed', stopReason: 'budget' });
    expect(TEXT).toContain(spent.message);
    expect(spent.requests[0]).toMatchObject({ maxTokens: 2_000 });

    const dear = { inputTokens: 0, outputTokens: 32_000, totalTokens: 32_000 };
    expect(await ask('gpt-4.1-mini', { toolCalls: calls, usage: dear })).toMatchObject({
      stopReason: 'budget',
    });
    const unpriced = await ask('gpt-other');
    expect(unpriced).toMatchObject({ stopReason: 'budget', requests: [] });

    const steps = Array.from({ length: 8 }, (_, a) => ({
      toolCalls: [{ name: 'add', input: { a, b: 1 } }],
    }));
    const long = await ask('gpt-4.1-mini', ...steps);
    expect(long).toMatchObject({ stopReason: 'max_steps' });
    expect(TEXT).toContain(long.message);
  });
});
