import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { Logger } from '@nestjs/common';
import { textMessage, type ChatModel, type Message, type ModelEvent } from 'nestjs-agent';
import type { ContentBlock, ModelObserver } from 'nestjs-agent/types';
import { aiSdk, type AiSdkLanguageModel } from 'nestjs-agent/ai-sdk';
import { describeChatModel } from 'nestjs-agent/testing';
import {
  block,
  collect,
  DONE,
  finish,
  frame,
  ModelServer,
  type Reply,
  said,
  serverForEachTest,
  start,
  stop,
  text,
  textIn,
  toolCall,
  USAGE,
} from './support/models';
import { contentOf } from './support/models/said-content';

const retry = { initialDelayMs: 1, maxDelayMs: 1 };

type Situation = 'answering' | 'calling' | 'failing' | 'hanging';
interface Package {
  readonly model: (url: string) => AiSdkLanguageModel;
  readonly replies: Readonly<Record<Situation, Reply>>;
}

const gemini = (parts: object[], finishReason?: string) =>
  frame({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }] });
const geminiUsage = frame({
  candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 23_500,
    cachedContentTokenCount: 23_490,
    candidatesTokenCount: 4,
    thoughtsTokenCount: 7,
    totalTokenCount: 23_511,
  },
});
const opening = frame({ id: 'c', created: 1, model: 'm', choices: [] });

const PACKAGES: Readonly<Record<string, Package>> = {
  '@ai-sdk/openai': {
    model: (url) => createOpenAI({ apiKey: 'k', baseURL: url }).chat('m'),
    replies: {
      answering: { chunks: [opening, text('Hel'), text('lo'), finish('stop'), DONE] },
      calling: {
        chunks: [
          opening,
          toolCall(0, { id: 'c', name: 'add', args: '{"a":2' }),
          toolCall(0, { args: ',"b":40}' }),
          finish('tool_calls'),
          DONE,
        ],
      },
      failing: { status: 500, chunks: ['{}'] },
      hanging: { chunks: [text('Hel')], end: 'never' },
    },
  },
  '@ai-sdk/anthropic': {
    model: (url) => createAnthropic({ apiKey: 'k', baseURL: url })('m'),
    replies: {
      answering: { chunks: [start({ id: 'msg', model: 'm' }), said(0, 'Hello'), stop('end_turn')] },
      calling: {
        chunks: [
          start({ id: 'msg', model: 'm' }),
          block(
            0,
            { type: 'tool_use', id: 'c', name: 'add', input: {} },
            { type: 'input_json_delta', partial_json: '{"a":2,' },
            { type: 'input_json_delta', partial_json: '"b":40}' },
          ),
          stop('tool_use'),
        ],
      },
      failing: { status: 529, chunks: ['{}'] },
      hanging: { chunks: [start({ id: 'msg', model: 'm' }), said(0, 'Hel')], end: 'never' },
    },
  },
  '@ai-sdk/google': {
    model: (url) => createGoogleGenerativeAI({ apiKey: 'k', baseURL: url })('gemini-m'),
    replies: {
      answering: { chunks: [gemini([{ text: 'Hel' }]), gemini([{ text: 'lo' }]), geminiUsage] },
      calling: {
        chunks: [gemini([{ functionCall: { name: 'add', args: { a: 2, b: 40 } } }]), geminiUsage],
      },
      failing: { status: 503, chunks: ['{}'] },
      hanging: { chunks: [gemini([{ text: 'Hel' }])], end: 'never' },
    },
  },
};

// What a provider refuses is logged.
beforeAll(() => Logger.overrideLogger(false));

for (const [name, { model, replies }] of Object.entries(PACKAGES)) {
  const servers: ModelServer[] = [];
  const situation = (which: Situation) => async () => {
    const server = await ModelServer.start();
    servers.push(server.on(replies[which], replies[which], replies[which]));
    return aiSdk(model(server.url), { retry });
  };
  describeChatModel(`aiSdk() with ${name}`, {
    answering: situation('answering'),
    calling: situation('calling'),
    failing: situation('failing'),
    hanging: situation('hanging'),
    destroy: () => Promise.all(servers.splice(0).map((server) => server.stop())),
  });
}

describe.each(Object.keys(PACKAGES))('aiSdk() with %s, whose host is down', (name) => {
  it('names the host in the log, once for all attempts', async () => {
    const server = await ModelServer.start();
    const { url } = server;
    await server.stop();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const model = aiSdk((PACKAGES[name] as Package).model(url), {
      retry: { ...retry, maxAttempts: 2 },
    });
    const { error } = await collect(model);
    const lines = warn.mock.calls.map(([line]: unknown[]) => line);
    warn.mockRestore();
    expect(error).toMatchObject({ code: 'model_unavailable' });
    expect(lines).toEqual([`${new URL(url).host} could not be reached: ECONNREFUSED (2 attempts)`]);
  });
});

describe.each(Object.keys(PACKAGES))('aiSdk() with %s, which refuses', (name) => {
  const KEY = 'sk-proj-4Zb81QxvTn0aLw72Fe';
  const HEADER = 'only-for-the-gateway';
  const ENVIRONMENT = 'known-to-this-process';
  afterEach(() => delete process.env['SOME_SERVICE_TOKEN']);

  const refusedWith = async (status: number, message: string, more: object = {}) => {
    process.env['SOME_SERVICE_TOKEN'] = ENVIRONMENT;
    const server = await ModelServer.start();
    const { host } = new URL(server.url);
    const told = { error: { message, code: status, ...more } };
    const handler = { status, chunks: [JSON.stringify(told)] };
    server.on(handler, handler, handler);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const model = aiSdk((PACKAGES[name] as Package).model(server.url), {
      retry: { ...retry, maxAttempts: 2 },
      // As `process.env` gives it where it is not set.
      headers: { 'x-gateway': HEADER, 'x-tenant': undefined as unknown as string },
    });
    const { error } = await collect(model);
    const lines = warn.mock.calls.map(([line]: unknown[]) => String(line));
    warn.mockRestore();
    await server.stop();
    return { error, lines, host };
  };

  it.each([
    [400, 'model_bad_request', ''],
    [401, 'model_authentication', ''],
    [429, 'model_rate_limited', ' (2 attempts)'],
  ])('with HTTP %i: says why in the log alone, once', async (status, code, attempts) => {
    const { error, lines, host } = await refusedWith(status, 'Not for gpt-4o-2024-08-06 today');
    expect(error).toMatchObject({ code });
    expect(lines).toEqual([
      `${host} answered HTTP ${status}: Not for gpt-4o-2024-08-06 today${attempts}`,
    ]);
    expect(String(error)).not.toContain('today');
  });

  it('says what the provider behind OpenRouter said', async () => {
    const metadata = { raw: 'prompt is too long', provider_name: 'X' };
    const { error, lines, host } = await refusedWith(400, 'Provider returned error', { metadata });
    expect(error).toMatchObject({ code: 'context_too_long' });
    expect(lines).toEqual([
      `${host} answered HTTP 400: Provider returned error: prompt is too long`,
    ]);
  });

  it('says so without a key, a header or a secret of the environment', async () => {
    const message = `Wrong: ${KEY}, sk-...t0aL, "${KEY.slice(0, 8)}***", ${HEADER} or ${ENVIRONMENT}`;
    const { lines, host } = await refusedWith(401, message);
    const left = '[redacted] [redacted] [redacted] [redacted] or [redacted]';
    expect(lines).toEqual([`${host} answered HTTP 401: Wrong: ${left}`]);
  });
});

describe('an error within an answer of aiSdk()', () => {
  const failed = { type: 'error', error: { type: 'overloaded_error', message: 'No room' } };

  it.each([
    ['@ai-sdk/openai', [opening, text('Hm')]],
    ['@ai-sdk/anthropic', [start(), said(0, 'Hm')]],
  ])('is in the log (%s)', async (name, before) => {
    const server = await ModelServer.start();
    const reply = { chunks: [...before, `event: error\n${frame(failed)}`] };
    server.on(reply, reply);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const model = aiSdk((PACKAGES[name] as Package).model(server.url), {
      retry: { ...retry, maxAttempts: 2 },
    });
    const { error } = await collect(model);
    const lines = warn.mock.calls.map(([line]: unknown[]) => String(line));
    warn.mockRestore();
    await server.stop();
    expect(error).toMatchObject({ code: 'model_overloaded' });
    expect(lines).toEqual(['The provider reported an error in its answer: No room']);
  });

  it.each(['with its status', 'within an answer'])(
    "that is the provider's filter is a refusal: %s",
    async (place) => {
      const error = { type: 'invalid_request_error', code: 'content_filter', message: 'Filtered' };
      const server = await ModelServer.start();
      server.on(
        place === 'with its status'
          ? { status: 400, chunks: [JSON.stringify({ error })] }
          : { chunks: [opening, text('Hm'), frame({ error })] },
      );
      const { model } = PACKAGES['@ai-sdk/openai'] as Package;
      const { events, error: failure } = await collect(aiSdk(model(server.url), { retry }));
      await server.stop();
      expect(failure).toBeUndefined();
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'refusal' });
    },
  );

  it.each<readonly [string, Partial<Reply>]>([
    ['whose stream ends', {}],
    ['whose stream breaks off', { end: 'torn' }],
    ['whose stream stays open', { end: 'never' }],
  ])(
    "a filter's refusal has its tokens and its id, %s",
    async (_, end) => {
      const error = { type: 'invalid_request_error', code: 'content_filter', message: 'Filtered' };
      const server = await ModelServer.start();

      server.on({ chunks: [opening, text('Hm'), frame({ error }), USAGE, DONE], ...end });
      const answered = jest.fn();
      const observer = { answered } as unknown as ModelObserver;
      const { signal } = new AbortController();
      const { model } = PACKAGES['@ai-sdk/openai'] as Package;
      const events: ModelEvent[] = [];
      const asked = aiSdk(model(server.url), { retry });
      for await (const event of asked.stream({ messages: [], tools: [] }, { signal, observer })) {
        events.push(event);
      }
      await server.stop();
      const usage = { inputTokens: 3, outputTokens: 4 };
      const finished = { type: 'finish', reason: 'refusal' };
      expect(events).toMatchObject([{ type: 'text.delta', delta: 'Hm' }, finished]);
      if (end.end === undefined) expect(events.at(-1)).toMatchObject({ usage });
      expect(answered.mock.calls).toMatchObject([[{ id: 'c', model: 'm' }]]);
    },
    15_000,
  );
});

const ADD = {
  name: 'add',
  description: 'Add',
  input_schema: {
    type: 'object' as const,
    properties: { a: { type: 'number' }, b: { type: 'number' } },
  },
};

describe('aiSdk() with real packages', () => {
  const server = serverForEachTest();
  const modelOf = (name: string): ChatModel =>
    aiSdk((PACKAGES[name] as Package).model(server.url), { retry });
  const answerTo = async (model: ChatModel, ...chunks: string[]) => {
    server.on({ chunks });
    const { events, error } = await collect(model, { tools: [ADD] });
    expect(error).toBeUndefined();
    return events;
  };
  /** The next request, after an answer and the results of its calls. */
  const goOn = async (model: ChatModel, content: readonly ContentBlock[]) => {
    const calls = content.filter((one) => one.type === 'tool_use');
    const results = calls.map(({ id }) => {
      return { type: 'tool_result' as const, tool_use_id: id, content: '42', is_error: false };
    });
    const history: Message[] = [
      textMessage('user', 'add'),
      { role: 'assistant', content },
      { role: 'user', content: results.length > 0 ? results : [{ type: 'text', text: 'more' }] },
    ];
    server.on({ status: 400, chunks: ['{}'] });
    await collect(model, { messages: history, tools: [ADD] });
    return JSON.stringify(server.requests.at(-1)?.body);
  };

  it('counts what was cached and thought', async () => {
    const events = await answerTo(modelOf('@ai-sdk/google'), gemini([{ text: 'Hi' }]), geminiUsage);
    expect(events.at(-1)).toMatchObject({
      usage: {
        inputTokens: 23_500,
        outputTokens: 11,
        cachedInputTokens: 23_490,
        reasoningTokens: 7,
      },
    });
  });

  it('gives signatures of calls back to the provider that wrote them, and to no other', async () => {
    const call = { functionCall: { name: 'add', args: { a: 2 } }, thoughtSignature: 'sig-1' };
    const events = await answerTo(modelOf('@ai-sdk/google'), gemini([call]), geminiUsage);
    const calls = events.filter((event) => event.type === 'tool_use');
    expect(calls).toMatchObject([{ name: 'add', input: { a: 2 } }]);
    expect(await goOn(modelOf('@ai-sdk/google'), calls)).toContain('sig-1');
    expect(await goOn(modelOf('@ai-sdk/anthropic'), calls)).not.toContain('sig-1');
  });

  it.each<[string, ...string[]]>([
    [
      'with its last piece',
      gemini([{ text: 'So ' }]),
      gemini([{ text: 'be it.', thoughtSignature: 'sig-3' }]),
    ],
    [
      'with its first piece',
      gemini([{ text: 'So ', thoughtSignature: 'sig-3' }]),
      gemini([{ text: 'be it.' }]),
    ],
    [
      'behind it',
      gemini([{ text: 'So be it.' }]),
      gemini([{ text: '', thoughtSignature: 'sig-3' }]),
    ],
  ])('gives a text back with its signature, %s', async (_, ...chunks) => {
    const google = modelOf('@ai-sdk/google');
    const content = await contentOf(await answerTo(google, ...chunks, geminiUsage));
    expect(content).toMatchObject([{ type: 'text', text: 'So be it.' }]);
    expect(await goOn(google, content)).toContain(
      '{"text":"So be it.","thoughtSignature":"sig-3"}',
    );
    const elsewhere = await goOn(modelOf('@ai-sdk/openai'), content);
    expect(elsewhere).toContain('So be it.');
    expect(elsewhere).not.toContain('sig-3');
  });

  it('gives thoughts back with their signature', async () => {
    const model = modelOf('@ai-sdk/anthropic');
    const events = await answerTo(
      model,
      start({ id: 'msg', model: 'm' }),
      block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'signature_delta', signature: 'sig-2' },
      ),
      block(1, { type: 'redacted_thinking', data: 'xyz' }),
      said(2, 'So.'),
      stop('end_turn'),
    );
    const ends = events.filter((event) => event.type === 'reasoning.end');
    expect(ends).toHaveLength(2);
    const sent = await goOn(model, [
      { type: 'reasoning', text: 'hm', ...(ends[0] && { providerData: ends[0].providerData }) },
      { type: 'reasoning', text: '', ...(ends[1] && { providerData: ends[1].providerData }) },
      { type: 'reasoning', text: 'of another provider' },
      { type: 'text', text: 'So.' },
    ]);
    expect(sent).toContain('{"type":"thinking","thinking":"hm","signature":"sig-2"}');
    expect(sent).toContain('{"type":"redacted_thinking","data":"xyz"}');
    expect(sent).not.toContain('another');
  });

  it('gives thoughts between calls back in their place, which they are signed for', async () => {
    const model = modelOf('@ai-sdk/anthropic');
    const thought = (index: number, thinking: string) =>
      block(
        index,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature: `signed ${thinking}` },
      );
    const call = (index: number, id: string) =>
      block(index, { type: 'tool_use', id, name: 'add', input: {} });
    const events = await answerTo(
      model,
      ...[start({ id: 'msg', model: 'm' }), thought(0, 'first'), call(1, 'a'), call(2, 'b')],
      ...[thought(3, 'then'), call(4, 'c'), stop('tool_use')],
    );
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_use' });
    const sent = await goOn(model, await contentOf(events));
    const marks = sent.match(/signed first|signed then|"id":"."/g);
    expect(marks).toEqual(['signed first', '"id":"a"', '"id":"b"', 'signed then', '"id":"c"']);
  });

  it('adds nothing to a call that stands before a thought', async () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'add', input: '{"a":1}' };
    const parts = [
      ...[call, { type: 'reasoning-start', id: 't' }, { type: 'reasoning-end', id: 't' }],
      ...[call, { type: 'tool-input-delta', id: 'a', delta: '{}' }],
      { type: 'finish', finishReason: 'tool-calls', usage: {} },
    ];
    const doStream = () => Promise.resolve({ stream: ReadableStream.from(parts) });
    const given = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doStream };
    const { events } = await collect(aiSdk(given as never));
    const told = events.filter(({ type }) => type.startsWith('tool_use'));
    expect(told).toEqual([
      { type: 'tool_use.delta', id: 'a', name: 'add', delta: '{"a":1}' },
      { type: 'tool_use', id: 'a', name: 'add', input: { a: 1 } },
    ]);
  });

  it('shows tools that the provider ran, with the pages that it cites', async () => {
    const model = modelOf('@ai-sdk/anthropic');
    const page = { type: 'web_search_result', url: 'https://nestjs.com', title: 'Nest' };
    const found = { ...page, page_age: null, encrypted_content: 'x' };
    const events = await answerTo(
      model,
      start({ id: 'msg', model: 'm' }),
      block(
        0,
        { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
        { type: 'input_json_delta', partial_json: '{"query":"nest"}' },
      ),
      block(1, { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [found] }),
      said(2, 'Found.'),
      stop('end_turn'),
    );
    expect(events.map(({ type }) => type)).toEqual([
      'provider_tool',
      'text.delta',
      'source',
      'finish',
    ]);
    expect(events[0]).toMatchObject({ id: 'srv_1', name: 'web_search', input: { query: 'nest' } });
    expect(events[2]).toEqual({ type: 'source', url: 'https://nestjs.com', title: 'Nest' });
    const shown = events.filter((event) => event.type === 'provider_tool');
    const sent = await goOn(model, [...shown, { type: 'text', text: 'Found.' }]);
    expect(sent).toContain('"type":"server_tool_use","id":"srv_1"');
    expect(sent).toContain('"tool_use_id":"srv_1"');
  });

  it.each([{ mediaType: 'image/webp' }, { file: { mediaType: 'image/webp' } }])(
    'says so where a picture that the model made is not kept: %j',
    async (file) => {
      const parts = [
        { type: 'file', data: 'AAAA', ...file },
        { type: 'finish', finishReason: 'stop', usage: {} },
      ];
      const doStream = () => Promise.resolve({ stream: ReadableStream.from(parts) });
      const given = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doStream };
      const { events } = await collect(aiSdk(given as never));
      const message = 'The picture or file that the model made (image/webp) is not kept.';
      expect(events[0]).toMatchObject({ notice: { code: 'picture_not_kept', message } });
    },
  );

  it.each([
    [400, 'prompt is too long: 9 tokens > 8 maximum', 'context_too_long', 1],
    [400, 'Your credit balance is too low', 'model_rate_limited', 1],
    [401, 'invalid x-api-key', 'model_authentication', 1],
    [429, 'slow down', 'model_rate_limited', 3],
  ])('%i %s', async (status, message, code, attempts) => {
    const error = { type: 'invalid_request_error', message };
    const reply = {
      status,
      headers: { 'content-type': 'application/json', 'retry-after': '0' },
      chunks: [JSON.stringify({ type: 'error', error })],
    };
    server.on(reply, reply, reply);
    const failed = await collect(modelOf('@ai-sdk/anthropic'));
    expect(failed.error).toMatchObject({ name: 'ModelError', code });
    expect(server.requests).toHaveLength(attempts);
  });

  it('sends pictures of results behind them, where every provider sees them', async () => {
    const model = modelOf('@ai-sdk/openai');
    server.on({ status: 400, chunks: ['{}'] });
    const use = { type: 'tool_use', id: 'a:1', name: 'draw.it', input: {} } as const;
    const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const far = { type: 'image', url: 'https://example.com/a.png' } as const;
    await collect(model, {
      system: 'Be kind.',
      messages: [
        textMessage('user', 'draw'),
        { role: 'assistant', content: [use] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a:1', content: [picture], is_error: false },
            far,
          ],
        },
        textMessage('system', 'Summary.'),
      ],
      tools: [ADD],
      toolChoice: 'required',
      maxTokens: 9,
    });
    const id = expect.stringMatching(/^id_[0-9a-z]+$/) as string;
    const name = expect.stringMatching(/^draw_it_[0-9a-f]{10}$/) as string;
    expect(server.requests[0]?.body).toMatchObject({
      tool_choice: 'required',
      max_tokens: 9,
      messages: [
        { role: 'system', content: 'Be kind.\n\nSummary.' },
        { role: 'user', content: 'draw' },
        { role: 'assistant', tool_calls: [{ id, function: { name } }] },
        { role: 'tool', tool_call_id: id, content: '[image]' },
        {
          role: 'user',
          content: [
            { type: 'text', text: expect.stringContaining('Belongs to the result') as string },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
      ],
    });
  });

  it('says what it takes', () => {
    const old = {
      ...PACKAGES['@ai-sdk/openai']?.model('http://127.0.0.1/v1'),
      specificationVersion: 'v1',
    };
    expect(() => aiSdk(old as unknown as AiSdkLanguageModel)).toThrow(/v2, v3 or v4.*v1/);
    expect(() => aiSdk('openai/gpt' as unknown as AiSdkLanguageModel)).toThrow(/a name/);
  });
});

describe('aiSdk() with a model of specification', () => {
  /** A model that says some parts, whatever it is asked. */
  class Fixture implements AiSdkLanguageModel {
    readonly provider = 'fixture';
    readonly modelId = 'm';
    readonly supportedUrls = Promise.resolve({ 'image/*': [/^https:\/\/example\.com\//] });
    readonly asked: Record<string, unknown>[] = [];

    constructor(
      readonly specificationVersion: 'v2' | 'v4',
      private readonly parts: readonly object[],
    ) {}

    doStream(options: never): Promise<{ stream: ReadableStream<unknown> }> {
      this.asked.push(options);
      return Promise.resolve({ stream: ReadableStream.from(this.parts) });
    }
  }
  const PICTURES: Message = {
    role: 'user',
    content: [
      { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      { type: 'image', url: 'https://example.com/a.png' },
      { type: 'image', url: 'https://elsewhere.com/a.png' },
    ],
  };

  it('v2, as ai 5 has it', async () => {
    const fixture = new Fixture('v2', [
      { type: 'stream-start', warnings: [] },
      { type: 'text-delta', id: '1', delta: 'Hi' },
      {
        type: 'finish',
        finishReason: 'length',
        usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8, cachedInputTokens: 2 },
      },
    ]);
    const search = { id: 'fixture.search', name: 'search', args: {} };
    const model = aiSdk(fixture, { providerTools: [search] });
    const { events } = await collect(model, { messages: [PICTURES], reasoningEffort: 'low' });
    expect(textIn(events)).toBe('Hi');
    expect(events.at(-1)).toMatchObject({
      reason: 'max_tokens',
      usage: { totalTokens: 8, cachedInputTokens: 2 },
    });
    expect(fixture.asked[0]).toMatchObject({
      tools: [{ type: 'provider-defined', ...search }],
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: 'image/png', data: 'AAAA' },
            { type: 'file', mediaType: 'image/*', data: new URL('https://example.com/a.png') },
            { type: 'text', text: '[image: https://elsewhere.com/a.png]' },
          ],
        },
      ],
    });
    expect(fixture.asked[0]).not.toHaveProperty('reasoning');
  });

  it('v4, as ai 7 has it', async () => {
    const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://a.com', title: 'A' };
    const fixture = new Fixture('v4', [
      { type: 'stream-start', warnings: [] },
      { type: 'ping' },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-end', id: '0', providerMetadata: { fixture: { key: 'v' } } },
      { type: 'text-delta', id: '1', delta: 'Hi' },
      { type: 'text-end', id: '1', citations: [{ type: 'text-citation', source }] },
      { type: 'custom', kind: 'fixture.other' },
      { type: 'tool-input-start', id: 'c', toolName: 'add' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a":1}' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{"a":1}' },
      {
        type: 'finish',
        finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
        usage: {
          inputTokens: { total: 9, noCache: 2, cacheRead: 4, cacheWrite: 3 },
          outputTokens: { total: 5, text: 1, reasoning: 4 },
        },
      },
    ]);
    const { events, error } = await collect(aiSdk(fixture), {
      messages: [PICTURES],
      tools: [ADD],
      reasoningEffort: 'low',
    });
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: 'reasoning.delta', delta: 'hm' },
      {
        type: 'reasoning.end',
        providerData: { 'ai-sdk:fixture': { metadata: { fixture: { key: 'v' } } } },
      },
      { type: 'text.delta', delta: 'Hi' },
      { type: 'tool_use.delta', id: 'c', name: 'add', delta: '{"a":1}' },
      { type: 'source', url: 'https://a.com', title: 'A' },
      { type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } },
      {
        type: 'finish',
        reason: 'tool_use',
        usage: {
          inputTokens: 9,
          outputTokens: 5,
          totalTokens: 14,
          cachedInputTokens: 4,
          cacheWriteTokens: 3,
          reasoningTokens: 4,
        },
      },
    ]);
    expect(fixture.asked[0]).toMatchObject({
      reasoning: 'low',
      prompt: [
        {
          content: [
            { data: { type: 'data', data: 'AAAA' } },
            { data: { type: 'url', url: new URL('https://example.com/a.png') } },
            { type: 'text' },
          ],
        },
      ],
    });
  });

  it.each([
    [[], 'model_unavailable'],
    [[{ type: 'error', error: { statusCode: 529, message: 'x' } }], 'model_overloaded'],
    [[{ type: 'finish', finishReason: 'error' }], 'model_unavailable'],
  ])('fails where the answer does: %j', async (parts, code) => {
    const said = { type: 'text-delta', id: '1', delta: 'part' };
    const model = aiSdk(new Fixture('v2', [said, ...parts]), { retry: { maxAttempts: 1 } });
    const { events, error } = await collect(model);
    expect(textIn(events)).toBe('part');
    expect(error).toMatchObject({ code });
  });

  const SAID = { type: 'text-delta', id: '1', delta: 'part' };
  const UNTOLD = { type: 'finish', finishReason: { unified: 'other', raw: undefined } };
  const UNKNOWN = { type: 'finish', finishReason: 'unknown' };

  // Packages end every stream with a reason, also one that their provider never ended.
  it.each([
    ['v4', 'a part', [SAID, UNTOLD]],
    ['v4', 'nothing', [UNTOLD]],
    ['v2', 'nothing', [UNKNOWN]],
  ] as const)('%s, takes %s without a reason to finish as cut off', async (version, _, parts) => {
    const model = aiSdk(new Fixture(version, parts), { retry: { maxAttempts: 1 } });
    const { error } = await collect(model);
    expect(error).toMatchObject({ code: 'model_unavailable' });
  });

  it.each([
    ['v4', { type: 'finish', finishReason: { unified: 'other', raw: 'a word of its own' } }],
    // v2 says so of words that a package does not know, too.
    ['v2', UNKNOWN],
  ] as const)('%s, takes an answer with an unknown reason as whole', async (version, end) => {
    const { events } = await collect(aiSdk(new Fixture(version, [SAID, end])));
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'end_turn' });
  });
});
