import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { ConsoleLogger } from '@nestjs/common';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { openai, type AgentEvent, type ChatResult } from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';
import {
  brokenAnthropicRules,
  brokenOpenAiRules,
  delta,
  DONE,
  finish,
  frame,
  type Handler,
  ModelServer,
  type RecordedRequest,
  text,
} from './support/models';
import { agentApp, type AgentApp } from './http/agent-app';

type AnthropicMessages = Parameters<typeof brokenAnthropicRules>[0]['messages'];
type Provider = 'openai' | 'anthropic';

const KEY = 'sk-very-secret';

/** Records the application's log without any masking. */
class RecordingLogger extends ConsoleLogger {
  readonly lines: string[] = [];

  protected override printMessages(messages: unknown[]): void {
    this.lines.push(...messages.map((message) => inspect(message, { depth: 9 })));
  }

  protected override printStackTrace(stack: string): void {
    this.lines.push(stack);
  }
}

type Answer = ChatResult & { readonly statusCode?: number; readonly code?: string };

const event = (type: string, more: object): string => `event: ${type}\n${frame({ type, ...more })}`;
const started = event('message_start', { message: { usage: { input_tokens: 3 } } });
const block = (index: number, content_block: object): string =>
  event('content_block_start', { index, content_block });
const change = (index: number, piece: object): string =>
  event('content_block_delta', { index, delta: piece });
const said = (words: string): string => change(0, { type: 'text_delta', text: words });
const stopped = (reason: string): string =>
  event('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 5 } }) +
  event('message_stop', {});

const calls = (...tool_calls: readonly object[]): string => delta({ tool_calls } as never);
const ADD = { function: { name: 'add', arguments: '{"a":1,"b":2}' } };

const FINE: Readonly<Record<Provider, Handler>> = {
  openai: { chunks: [text('fine'), finish('stop'), DONE] },
  anthropic: { chunks: [started, said('fine'), stopped('end_turn')] },
};

const BROKEN_RULES: Readonly<Record<Provider, (request: RecordedRequest) => readonly string[]>> = {
  openai: ({ body }) =>
    brokenOpenAiRules(body['messages'] as unknown as readonly ChatCompletionMessageParam[]),
  anthropic: ({ body }) =>
    brokenAnthropicRules({
      system: [],
      messages: body['messages'] as unknown as AnthropicMessages,
    }),
};

describe('a hostile provider', () => {
  let server: ModelServer;
  let app: AgentApp;
  let told: string[];
  const logger = new RecordingLogger();

  beforeAll(async () => {
    server = await ModelServer.start();
    told = logger.lines;
    const retry = { initialDelayMs: 1, maxDelayMs: 1 };
    const { origin } = new URL(server.url);
    app = await agentApp({
      models: {
        openai: openai({ model: 'm', apiKey: KEY, baseURL: server.url, retry }),
        anthropic: anthropic({ model: 'claude', apiKey: KEY, baseURL: origin, retry }),
      },
      audit: { record: (record) => void told.push(inspect(record, { depth: 9 })) },
      appOptions: { logger },
    });
  });
  beforeEach(() => {
    server.off().requests.length = 0;
    told.length = 0;
  });
  afterAll(async () => {
    await app.app.close();
    await server.stop();
  });

  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer alice' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    told.push(answer);
    return answer;
  };

  /** Sends requests to both endpoints and checks that the conversations can continue. */
  const meet = async (provider: Provider, ...handlers: readonly Handler[]) => {
    const body = { message: 'hello', model: provider };
    server.on(...handlers);
    const answer = JSON.parse(await post('/agent/chat', body)) as Answer;
    const attempts = server.requests.length;
    server.off().on(...handlers);
    const events = (await post('/agent/chat/stream', body))
      .split('\n\n')
      .flatMap((part) => /^data: (.*)$/m.exec(part)?.[1] ?? [])
      .map((data) => JSON.parse(data) as AgentEvent);
    expect(events.at(-1)?.type).toBe('run.finished');
    const [begun] = events;
    for (const sessionId of [answer.sessionId, 'sessionId' in begun! ? begun.sessionId : '']) {
      server.off().on(FINE[provider]);
      const next = JSON.parse(await post('/agent/chat', { ...body, sessionId })) as Answer;
      expect(next).toMatchObject({ message: 'fine' });
      expect(BROKEN_RULES[provider](server.requests.at(-1)!)).toEqual([]);
    }
    expect(told.join('\n')).not.toContain(KEY);
    await server.settled();
    return { answer, events, attempts };
  };

  describe('that keeps to no type', () => {
    it.each<readonly [string, Provider, string]>([
      ['a number for an id', 'openai', calls({ index: 0, id: 7, ...ADD }) + finish('stop')],
      ['an object for an id', 'openai', calls({ index: 0, id: {}, ...ADD }) + finish('stop')],
      [
        'an object for arguments, behind an empty one',
        'openai',
        calls({ index: 0, id: 'c', function: { name: 'add', arguments: {} } }) +
          calls({ index: 0, function: { arguments: { a: 1, b: 2 } } }) +
          finish('stop'),
      ],
      [
        'a number for an id',
        'anthropic',
        started +
          block(0, { type: 'tool_use', id: 7, name: 'add', input: { a: 1, b: 2 } }) +
          stopped('tool_use'),
      ],
    ])('%s (%s)', async (_, provider, answered) => {
      const { answer, events } = await meet(provider, { chunks: [answered] }, FINE[provider]);
      expect(answer).toMatchObject({
        message: 'fine',
        toolCalls: [{ id: expect.any(String), name: 'add', output: '3' }],
      });
      const ids = events.flatMap((one) => ('callId' in one ? [one.callId] : []));
      expect(ids).toEqual([expect.any(String), ...ids.slice(1).map(() => ids[0])]);
    });

    it.each<readonly [string, Provider, string]>([
      [
        'an object for a name',
        'openai',
        calls({ index: 0, id: 'c', function: { name: {}, arguments: '{}' } }) + finish('stop'),
      ],
      [
        'a number for a name',
        'anthropic',
        started + block(0, { type: 'tool_use', id: 'c', name: 7 }) + stopped('tool_use'),
      ],
    ])('%s (%s)', async (_, provider, answered) => {
      const { answer } = await meet(provider, { chunks: [answered] }, FINE[provider]);
      expect(answer).toMatchObject({ toolCalls: [{ name: 'unnamed_tool', isError: true }] });
    });

    it('numbers for words and proofs', async () => {
      const answered =
        started +
        change(0, { type: 'thinking_delta', thinking: 5 }) +
        change(0, { type: 'thinking_delta', thinking: 'hm' }) +
        change(0, { type: 'signature_delta', signature: 5 }) +
        block(1, { type: 'text', text: 5 }) +
        change(1, { type: 'text_delta', text: { a: 1 } }) +
        said('well') +
        stopped('end_turn');
      const { answer, events } = await meet('anthropic', { chunks: [answered] });
      expect(answer).toMatchObject({ status: 'completed', message: 'well' });
      expect(events.flatMap((one) => ('delta' in one ? [one.delta] : []))).toEqual(['hm', 'well']);
    });
  });

  it('that gives two calls one index, and their arguments none', async () => {
    const now = (id: string): string => block(0, { type: 'tool_use', id, name: 'nope' });
    const chunks = [started, now('x'), now('y'), stopped('tool_use')];
    const { answer } = await meet('anthropic', { chunks }, FINE.anthropic);
    expect(answer.toolCalls).toHaveLength(2);
  });

  describe('that counts wrongly', () => {
    const odd = { prompt_tokens: -100_000, completion_tokens: 3, total_tokens: 5 };
    it.each<readonly [string, Provider, string]>([
      ['a negative count', 'openai', frame({ choices: [], usage: odd })],
      ['a count beyond all bounds', 'openai', '{"choices":[],"usage":{"prompt_tokens":1e999}}'],
      [
        'a negative count',
        'anthropic',
        event('message_delta', { delta: {}, usage: { output_tokens: -5 } }),
      ],
    ])('%s (%s)', async (_, provider, counted) => {
      const chunks =
        provider === 'openai'
          ? [text('well'), finish('stop'), counted.startsWith('{') ? frame(counted) : counted, DONE]
          : [started, said('well'), stopped('end_turn'), counted];
      const { answer } = await meet(provider, { chunks });
      expect(answer.message).toBe('well');
      const { inputTokens, outputTokens, totalTokens } = answer.usage;
      expect(inputTokens).toBeGreaterThan(0);
      expect(outputTokens).toBeGreaterThan(0);
      expect(totalTokens).toBe(inputTokens + outputTokens);
    });

    it('counts texts of digits as numbers', async () => {
      const usage = { prompt_tokens: '12', completion_tokens: '3', total_tokens: '15' };
      const { answer } = await meet('openai', {
        chunks: [text('well'), finish('stop'), frame({ choices: [], usage }), DONE],
      });
      expect(answer.usage).toMatchObject({ inputTokens: 12, outputTokens: 3, totalTokens: 15 });
    });
  });

  describe('whose refusals have another form', () => {
    const refused = (body: unknown, status = 400, headers = {}): Handler => ({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      chunks: [typeof body === 'string' ? body : JSON.stringify(body)],
    });

    it.each<readonly [string, unknown]>([
      ['vLLM', { object: 'error', message: "This model's maximum context length is 8 tokens" }],
      ['FastAPI', { detail: 'prompt is too long' }],
      [
        'Gemini',
        [
          {
            error: {
              message: 'The input token count (9) exceeds the maximum number of tokens (8).',
            },
          },
        ],
      ],
      ['Ollama', { error: 'the input length exceeds the context length' }],
      ['a page', '<html>prompt is too long</html>'],
      ['llama.cpp', { error: { message: 'the request exceeds the available context size' } }],
      ['Moonshot', { error: { message: 'Your request exceeded model token limit: 8192' } }],
      ['xAI', { error: { message: "This model's maximum prompt length is 8, not 9." } }],
      ['SGLang', { error: { message: "The input is longer than the model's context length" } }],
      [
        'who is behind OpenRouter',
        {
          error: {
            message: 'Provider returned error',
            code: 400,
            metadata: { raw: '{"error":{"message":"prompt is too long"}}', provider_name: 'X' },
          },
        },
      ],
      ['Zhipu', { error: { code: '1261', message: 'Prompt exceeds max length' } }],
      ['Cohere', { message: 'too many tokens: 9' }],
      ['DashScope', { error: { message: 'Range of input length should be [1, 30720]' } }],
    ])('too long a context, in the words of %s', async (_, body) => {
      for (const provider of ['openai', 'anthropic'] as const) {
        const { answer } = await meet(provider, refused(body));
        expect(answer).toMatchObject({ statusCode: 502, code: 'context_too_long' });
      }
    });

    it('says in the log alone why, and without the key', async () => {
      const message = `Invalid schema for function 'add', ${KEY.slice(0, 11)}*** sent it.`;
      for (const provider of ['openai', 'anthropic'] as const) {
        const { answer, events } = await meet(provider, refused({ error: { message } }));
        const { host } = new URL(server.url);
        const line = `${host} answered HTTP 400: Invalid schema for function 'add', [redacted] sent it.`;
        expect(logger.lines.join('\n')).toContain(line);
        expect(JSON.stringify([answer, events])).not.toContain('Invalid schema');
        expect(logger.lines.join('\n')).not.toContain(KEY.slice(0, 11));
      }
    });

    it("says in the log what OpenRouter's provider said", async () => {
      const metadata = { raw: { error: { message: 'At most 1 image per prompt.' } } };
      const error = { message: 'Provider returned error', code: 400, metadata };
      const inside = event('error', { error });
      for (const reply of [refused({ error }), { chunks: [inside] }]) {
        const { answer } = await meet('openai', reply);
        expect(answer).toMatchObject({ code: 'model_bad_request' });
        const line = 'Provider returned error: {"error":{"message":"At most 1 image per prompt."}}';
        expect(logger.lines.splice(0).join()).toContain(line);
      }
    });

    it('says so once for all attempts of a request', async () => {
      const busy = refused({ error: { message: 'No room' } }, 503);
      for (const provider of ['openai', 'anthropic'] as const) {
        const line = `${new URL(server.url).host} answered HTTP 503: No room`;
        const said = () => logger.lines.splice(0).filter((each) => each.includes(line));
        said();
        server.off().on(busy, busy, busy);
        await post('/agent/chat', { message: 'hello', model: provider });
        expect(said()).toEqual([expect.stringContaining(`${line} (3 attempts)`)]);
        server.off().on(busy, FINE[provider]);
        await post('/agent/chat', { message: 'hello', model: provider });
        expect(said()).toEqual([expect.stringContaining(`${line} (attempt 2 was answered)`)]);
      }
    });

    it.each<readonly [string, Provider, readonly string[], string]>([
      ['at once', 'openai', [], ' (3 attempts)'],
      ['at once', 'anthropic', [started], ' (3 attempts)'],
      ['after a text', 'openai', [text('Hm')], ''],
      ['after a text', 'anthropic', [started, said('Hm')], ''],
    ])('%s within an answer (%s): the log says why', async (_, provider, before, attempts) => {
      const message = `No room for ${KEY.slice(0, 11)}***`;
      const failed = event('error', { error: { type: 'overloaded_error', message } });
      const reply = { chunks: [...before, failed] };
      server.off().on(reply, reply, reply);
      const answer = await post('/agent/chat', { message: 'hello', model: provider });
      expect(answer).toContain('model_overloaded');
      expect(answer).not.toContain('No room');
      const { host } = new URL(server.url);
      const line = `${host} reported an error in its answer: No room for [redacted]${attempts}`;
      const lines = logger.lines.filter((each) => each.includes('in its answer'));
      expect(lines).toEqual([expect.stringContaining(line)]);
    });

    it('cuts off an error that never ends, and keeps its status', async () => {
      const endless = (response: ServerResponse): void => {
        response.writeHead(400, { 'content-type': 'application/json' });
        const piece = 'x'.repeat(65_536);
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      };
      const broken = (response: ServerResponse): void => {
        response.writeHead(429, { 'content-length': '1000', 'retry-after': '3600' });
        response.write('{"error":', () => response.destroy());
      };
      expect((await meet('openai', endless)).answer.code).toBe('model_bad_request');
      expect((await meet('openai', broken)).answer.code).toBe('model_rate_limited');
    });

    it.each<readonly [string, Provider, unknown, string]>([
      [
        'an error',
        'openai',
        { error: { message: `no ${KEY}`, code: 401 } },
        'model_authentication',
      ],
      [
        'an error',
        'anthropic',
        { type: 'error', error: { type: 'overloaded_error' } },
        'model_overloaded',
      ],
      [
        'an error of no known form',
        'openai',
        { message: 'too many requests' },
        'model_rate_limited',
      ],
      ['an error in words', 'openai', { error: "model 'm' not found" }, 'model_not_found'],
      ['an error', 'anthropic', { error: { type: 'not_found_error' } }, 'model_not_found'],
      ['nonsense', 'openai', { hello: 'world' }, 'model_unavailable'],
    ])('%s in JSON with status 200 (%s)', async (_, provider, body, code) => {
      const reply = refused(body, 200);
      const { answer } = await meet(provider, reply, reply, reply);
      expect(answer).toMatchObject({ code });
    });

    it('reads a whole answer in JSON, with status 200', async () => {
      const message = { role: 'assistant', content: 'all at once' };
      const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
      const whole = { choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
      const { answer, attempts } = await meet(
        'openai',
        refused(JSON.stringify(whole, null, 2), 200),
      );
      expect(answer).toMatchObject({ message: 'all at once', tokensUsed: 3 });
      expect(attempts).toBe(1);
    });

    it.each<readonly [unknown, string]>([
      ['rate limit reached', 'model_rate_limited'],
      [{ message: 'x', code: '429' }, 'model_rate_limited'],
      [{ message: 'x', code: 'context_length_exceeded' }, 'context_too_long'],
    ])('says what became of an answer that ends in the error %j', async (error, code) => {
      const { answer, events } = await meet('openai', { chunks: [text('part'), frame({ error })] });
      expect(answer.code).toBe(code);
      expect(events).toContainEqual(expect.objectContaining({ type: 'text.delta', delta: 'part' }));
    });

    it.each([
      frame({ object: 'error', message: 'slow down', code: 429 }),
      'event: error\ndata: {"code":"Throttling","message":"too many requests"}\n\n',
      frame({ choices: [{ delta: {}, finish_reason: 'error', error: { code: 429 } }] }),
    ])('finds the error in %j', async (last) => {
      const { answer } = await meet('openai', { chunks: [text('part'), last] });
      expect(answer.code).toBe('model_rate_limited');
    });

    it.each([
      [undefined, '-5'],
      [undefined, 'soon'],
      [undefined, '1.5.2'],
      [1, '0'],
      [86_400, '99999999999'],
      [86_400, '9'.repeat(400)],
      [86_400, 'Fri, 31 Dec 9999 23:59:59 GMT'],
    ])('takes %s seconds from Retry-After, value %#', async (seconds, value) => {
      const reply = refused({}, 429, { 'retry-after': value });
      const { answer } = await meet('openai', reply, reply, reply);
      const message = String(answer.message);
      expect(message).toMatch(seconds === undefined ? 'later' : `in ${seconds} s`);
    });
  });
});
