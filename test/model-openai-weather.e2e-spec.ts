import { openai } from 'nestjs-agent';
import type { ModelError, ModelEvent, ToolDefinition } from 'nestjs-agent';
import {
  collect,
  delta,
  DONE,
  finish,
  frame,
  ModelServer,
  serverForEachTest,
  text,
  textIn,
  toolCall,
  USAGE,
} from './support/models';

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: { type: 'object', properties: { a: { type: 'number' } } },
};
const NO_WAIT = { initialDelayMs: 1, maxDelayMs: 1 };

describe('openai() survives', () => {
  const server = serverForEachTest();
  const model = (options: Parameters<typeof openai>[0] = {}) =>
    openai({ model: 'm', apiKey: 'sk-secret', baseURL: server.url, retry: NO_WAIT, ...options });

  function calls(events: readonly ModelEvent[]): readonly ModelEvent[] {
    return events.filter(({ type }) => type === 'tool_use');
  }

  describe('fragments', () => {
    it('split inside UTF-8 characters, JSON escapes and frames', async () => {
      const bytes = Buffer.from(
        [
          text('grüße 🎉 "q" \\ \u0001'),
          toolCall(0, { id: 'c1', name: 'add', args: '{"a":"\\u00' }),
          toolCall(0, { args: 'e9\\n\\"é🎉"}' }),
          finish('tool_calls'),
          USAGE,
          DONE,
        ].join(''),
      );
      const single = Array.from(bytes, (byte) => Buffer.from([byte]));
      server.on({ chunks: single });
      const { events, error } = await collect(model());
      expect(error).toBeUndefined();
      expect(textIn(events)).toBe('grüße 🎉 "q" \\ \u0001');
      expect(calls(events)).toEqual([
        { type: 'tool_use', id: 'c1', name: 'add', input: { a: 'é\n"é🎉' } },
      ]);
      expect(events.at(-1)).toEqual({
        type: 'finish',
        reason: 'tool_use',
        usage: {
          inputTokens: 3,
          outputTokens: 4,
          totalTokens: 7,
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        },
      });
    });

    it('of two calls, interleaved', async () => {
      server.on({
        chunks: [
          toolCall(0, { id: 'c1', name: 'add', args: '{"a"' }),
          toolCall(1, { id: 'c2', name: 'add', args: '{"a":' }),
          toolCall(0, { args: ':1}' }),
          toolCall(1, { args: '2}' }),
          finish('tool_calls'),
          DONE,
        ],
      });
      const { events } = await collect(model());
      expect(calls(events)).toMatchObject([
        { id: 'c1', input: { a: 1 } },
        { id: 'c2', input: { a: 2 } },
      ]);
      const deltas = events.flatMap((event) =>
        event.type === 'tool_use.delta' && event.id === 'c2' ? event.delta : [],
      );
      expect(deltas.join('')).toBe('{"a":2}');
    });

    it('whose ids and names come late', async () => {
      server.on({
        chunks: [
          toolCall(0, { args: '{"a"' }),
          toolCall(0, { name: 'add' }),
          toolCall(0, { id: 'late', args: ':1}' }),
          finish('tool_calls'),
          DONE,
        ],
      });
      const { events } = await collect(model(), { tools: [ADD] });
      expect(events.slice(0, 2)).toEqual([
        { type: 'tool_use.delta', id: 'late', name: 'add', delta: '{"a":1}' },
        { type: 'tool_use', id: 'late', name: 'add', input: { a: 1 } },
      ]);
    });

    it('without ids, with one index for all, and with ids used before', async () => {
      server.on({
        chunks: [
          toolCall(0, { id: 'x', name: 'add', args: '{"a":1}' }),
          toolCall(0, { id: 'y', name: 'add', args: '{"a":2}' }),
          toolCall(1, { name: 'add', args: '{"a":3}' }),
          toolCall(2, { id: 'x', name: 'add', args: '{"a":4}' }),
          finish('stop'),
          DONE,
        ],
      });
      const { events } = await collect(model());
      const found = calls(events);
      expect(found).toMatchObject([1, 2, 3, 4].map((a) => ({ input: { a } })));
      expect(new Set(found.map((call) => 'id' in call && call.id)).size).toBe(4);
      expect(events.at(-1)).toMatchObject({ reason: 'tool_use' });
    });
  });

  describe('arguments', () => {
    it.each([
      ['', {}],
      ['null', {}],
      ['{"a":1,}', { a: 1 }],
      ["{'a': True, b: None}", { a: true, b: null }],
      ['```json\n{"a":1}\n```', { a: 1 }],
      ['"{\\"a\\":1}"', { a: 1 }],
      ['{"a":"line\nbreak"}', { a: 'line\nbreak' }],
      ['{}{"a":1}', { a: 1 }],
      ['{}', {}],
    ])('%j as %j', async (args, input) => {
      server.on({ chunks: [toolCall(0, { id: 'c', name: 'add', args }), finish('tool_calls')] });
      const { events } = await collect(model());
      expect(calls(events)).toEqual([{ type: 'tool_use', id: 'c', name: 'add', input }]);
    });

    it.each(['{"a":1', '{"a":1}}', '[1]', '{"a":}', 'a=1', '{"a":1}{"a":2}'])(
      '%j, which nobody can read, and keeps them',
      async (args) => {
        server.on({ chunks: [toolCall(0, { id: 'c', name: 'add', args }), finish('tool_calls')] });
        const { events } = await collect(model());
        expect(calls(events)).toEqual([
          { type: 'tool_use', id: 'c', name: 'add', input: {}, malformedInput: args },
        ]);
      },
    );

    it('cut off by the length, which must never run', async () => {
      server.on({
        chunks: [
          toolCall(0, { id: 'c1', name: 'add', args: '{"a":1}' }),
          toolCall(1, { id: 'c2', name: 'add', args: '{"a":1' }),
          toolCall(2, { id: 'c3', name: 'add' }),
          finish('length'),
        ],
      });
      const { events } = await collect(model());
      expect(calls(events)).toEqual([
        { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
        { type: 'tool_use', id: 'c2', name: 'add', input: {}, malformedInput: '{"a":1' },
        { type: 'tool_use', id: 'c3', name: 'add', input: {}, malformedInput: '…' },
      ]);
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'max_tokens' });
    });

    it('of a tool that does not exist, beside text', async () => {
      server.on({
        chunks: [
          text('Let me see.'),
          toolCall(0, { id: 'c', name: 'nope', args: '{}' }),
          finish('tool_calls'),
        ],
      });
      const { events } = await collect(model(), { tools: [ADD] });
      expect(textIn(events)).toBe('Let me see.');
      expect(calls(events)).toEqual([{ type: 'tool_use', id: 'c', name: 'nope', input: {} }]);
    });
  });

  describe('every way to finish', () => {
    it.each([
      ['stop', 'end_turn'],
      ['length', 'max_tokens'],
      ['content_filter', 'refusal'],
      ['sensitive', 'refusal'],
      ['PROHIBITED_CONTENT', 'refusal'],
      ['content_filter: RECITATION', 'refusal'],
      ['eos', 'end_turn'],
      ['tool_calls', 'end_turn'],
    ])('%s', async (reason, expected) => {
      server.on({ chunks: [text('x'), finish(reason), DONE] });
      const { events } = await collect(model());
      expect(events.at(-1)).toEqual({ type: 'finish', reason: expected });
    });

    it('a refusal in its own field', async () => {
      server.on({ chunks: [delta({ refusal: 'I cannot.' }), finish('stop'), DONE] });
      const { events } = await collect(model());
      expect(textIn(events)).toBe('I cannot.');
      expect(events.at(-1)).toMatchObject({ reason: 'refusal' });
    });

    it('a connection torn down after the finish', async () => {
      server.on({ chunks: [text('x'), finish('stop')], end: 'torn' });
      const { events, error } = await collect(model());
      expect(error).toBeUndefined();
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'end_turn' });
    });

    it('one whole message instead of a stream', async () => {
      const message = { role: 'assistant', content: 'all at once' };
      server.on({ chunks: [frame({ choices: [{ message, finish_reason: 'stop' }] })] });
      const { events } = await collect(model());
      expect(textIn(events)).toBe('all at once');
    });
  });

  it('reasoning in either field, in parts, and between tags', async () => {
    server.on({
      chunks: [
        delta({ reasoning_content: 'a' }),
        delta({ reasoning: 'b' }),
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'c' }] },
            { type: 'text', text: 'answer' },
          ],
        }),
        finish('stop'),
      ],
    });
    const { events } = await collect(model());
    expect(events.filter(({ type }) => type.endsWith('.delta'))).toEqual([
      { type: 'reasoning.delta', delta: 'a' },
      { type: 'reasoning.delta', delta: 'b' },
      { type: 'reasoning.delta', delta: 'c' },
      { type: 'text.delta', delta: 'answer' },
    ]);

    const tagged = '\n<think>hm, <b></think>\n\nThe <think>answer';
    server.on({ chunks: [...Array.from(tagged, text), finish('stop')] });
    const split = await collect(model({ quirks: { thinkTags: true } }));
    expect(textIn(split.events)).toBe('The <think>answer');
    const thought = split.events.map((event) =>
      event.type === 'reasoning.delta' ? event.delta : '',
    );
    expect(thought.join('')).toBe('hm, <b>');
  });

  describe('broken streams', () => {
    it.each([
      ['an empty stream', { chunks: [] }],
      ['a stream of nothing but the end', { chunks: [DONE] }],
      ['a connection torn down before the first text', { chunks: [], end: 'torn' as const }],
      ['no JSON', { chunks: [frame('{"choices":[{"del')] }],
      ['an error object', { chunks: [frame({ error: { message: 'no sk-secret', code: 500 } })] }],
      [
        "a call that Gemini's service could not read",
        { chunks: [finish('MALFORMED_FUNCTION_CALL')] },
      ],
      [
        'the same behind OpenRouter',
        {
          chunks: [
            frame({
              choices: [
                {
                  delta: {},
                  finish_reason: 'stop',
                  native_finish_reason: 'MALFORMED_FUNCTION_CALL',
                },
              ],
            }),
          ],
        },
      ],
      [
        'the same, named behind a filter',
        { chunks: [finish('function_call_filter: MALFORMED_FUNCTION_CALL')] },
      ],
      ['a page instead of an answer', { chunks: ['<html></html>'] }],
    ])('%s: tries again, then says so', async (_, reply) => {
      server.on(reply, reply, reply);
      const { events, error } = await collect(model());
      expect(events).toEqual([]);
      expect(error).toMatchObject({ name: 'ModelError', code: 'model_unavailable' });
      expect((error as Error).message).not.toContain('secret');
      expect(server.requests).toHaveLength(3);
    });

    it('names the base URL where a page comes', async () => {
      server.on({ chunks: ['<!doctype html><html></html>'] });
      const { error } = await collect(model({ retry: { maxAttempts: 1 } }));
      expect(String(error)).toContain('Check the base URL.');
    });

    it('and goes on as if nothing had been where the second attempt succeeds', async () => {
      server.on({ chunks: [] }, { chunks: [text('fine'), finish('stop'), DONE] });
      const { events, error } = await collect(model());
      expect(error).toBeUndefined();
      expect(textIn(events)).toBe('fine');
    });

    it.each([
      ['no finish_reason and no end', { chunks: [text('part')] }],
      ['a connection torn down', { chunks: [text('part')], end: 'torn' as const }],
      ['a broken chunk', { chunks: [text('part'), frame('{"cho')] }],
      ['an error object', { chunks: [text('part'), frame({ error: { message: 'x' } })] }],
      ['a finish that is an error', { chunks: [text('part'), finish('network_error')] }],
    ])('%s after the first text: keeps the text and never tries again', async (_, reply) => {
      server.on(reply);
      const { events, error } = await collect(model());
      expect(textIn(events)).toBe('part');
      expect(events.some(({ type }) => type === 'finish')).toBe(false);
      expect(error).toMatchObject({ code: 'model_unavailable' });
      expect(server.requests).toHaveLength(1);
    });

    it('tries again where a call had begun of which nobody was told', async () => {
      server.on(
        { chunks: [toolCall(0, { id: 'c1', name: 'add', args: '' })], end: 'torn' },
        { chunks: [toolCall(0, { id: 'c2', name: 'add', args: '{"a":1}' }), finish('stop')] },
      );
      const { events, error } = await collect(model());
      expect(error).toBeUndefined();
      expect(calls(events)).toEqual([{ type: 'tool_use', id: 'c2', name: 'add', input: { a: 1 } }]);
    });

    it('keeps the calls of a stream that broke off', async () => {
      server.on({
        chunks: [
          toolCall(0, { id: 'c1', name: 'add', args: '{"a":1}' }),
          toolCall(1, { id: 'c2', name: 'add', args: '{"a"' }),
        ],
        end: 'torn',
      });
      const { events, error } = await collect(model());
      expect(calls(events)).toEqual([
        { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
        { type: 'tool_use', id: 'c2', name: 'add', input: {}, malformedInput: '{"a"' },
      ]);
      expect(error).toMatchObject({ code: 'model_unavailable' });
    });
  });

  describe('statuses', () => {
    const failing = (status: number, body: unknown = {}, headers = {}) => ({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      chunks: [JSON.stringify({ error: body })],
    });

    it.each([
      [400, 'model_bad_request', 502, 1],
      [401, 'model_authentication', 502, 1],
      [402, 'model_rate_limited', 429, 1],
      [403, 'model_authentication', 502, 1],
      [404, 'model_not_found', 502, 1],
      [410, 'model_not_found', 502, 1],
      [408, 'model_timeout', 504, 3],
      [422, 'model_bad_request', 502, 1],
      [429, 'model_rate_limited', 429, 3],
      [498, 'model_overloaded', 503, 3],
      [500, 'model_unavailable', 502, 3],
      [503, 'model_overloaded', 503, 3],
      [529, 'model_overloaded', 503, 3],
    ])('%i is %s', async (status, code, httpStatus, attempts) => {
      const reply = failing(status, { message: 'You sent sk-secret' });
      server.on(reply, reply, reply);
      const { error } = await collect(model());
      expect(error).toMatchObject({ name: 'ModelError', code, httpStatus });
      expect((error as ModelError).message).not.toContain('sk-secret');
      expect(server.requests).toHaveLength(attempts);
    });

    it.each([
      { code: 'context_length_exceeded', message: 'x' },
      { message: "This model's maximum context length is 8192 tokens" },
      { message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    ])('a context that is too long: %j', async (body) => {
      server.on(failing(400, body));
      expect((await collect(model())).error).toMatchObject({ code: 'context_too_long' });
      expect(server.requests).toHaveLength(1);
    });

    it('waits as long as Retry-After says, in seconds or until a date', async () => {
      const fine = { chunks: [text('ok'), finish('stop')] };
      server.on(failing(429, {}, { 'retry-after': '0' }), fine);
      expect(textIn((await collect(model())).events)).toBe('ok');

      const past = new Date(Date.now() - 10_000).toUTCString();
      server.on(failing(503, {}, { 'retry-after': past }), fine);
      expect(textIn((await collect(model())).events)).toBe('ok');
    });

    it('does not wait for a Retry-After that is too long, and passes it on', async () => {
      server.on(failing(429, {}, { 'retry-after': '3600' }));
      const { error } = await collect(model());
      expect(error).toMatchObject({ code: 'model_rate_limited', retryAfterMs: 3_600_000 });
      expect(server.requests).toHaveLength(1);
    });

    it('does not try again where the quota is spent', async () => {
      server.on(failing(429, { code: 'insufficient_quota', message: 'no more' }));
      expect((await collect(model())).error).toMatchObject({ isRetryable: false });
      expect(server.requests).toHaveLength(1);
    });
  });

  it('an address where nobody listens', async () => {
    const gone = await ModelServer.start();
    const baseURL = gone.url;
    await gone.stop();
    const { error } = await collect(model({ baseURL }));
    expect(error).toMatchObject({ code: 'model_unavailable', httpStatus: 502 });
  });

  describe('silence', () => {
    it.each([
      ['before the response', () => undefined, { connectMs: 20 }],
      [
        'before the first event',
        { chunks: [': ping\n\n'], end: 'never' as const },
        { firstEventMs: 20 },
      ],
    ])('%s', async (_, handler, timeouts) => {
      server.on(handler);
      const { error } = await collect(model({ timeouts, retry: { maxAttempts: 1 } }));
      expect(error).toMatchObject({ code: 'model_timeout', httpStatus: 504 });
      await server.settled();
    });

    it('between two events', async () => {
      server.on({ chunks: [text('part')], end: 'never' });
      const { events, error } = await collect(model({ timeouts: { betweenEventsMs: 20 } }));
      expect(textIn(events)).toBe('part');
      expect(error).toMatchObject({ code: 'model_timeout' });
      await server.settled();
      expect(server.requests).toHaveLength(1);
    });
  });

  it('50 MB, without holding them', async () => {
    const piece = text('x'.repeat(64 * 1024));
    const count = 800;
    server.on(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let index = 0; index < count; index++) {
        if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end(finish('stop') + DONE);
    });
    let length = 0;
    let last: ModelEvent | undefined;
    const { signal } = new AbortController();
    for await (const event of model().stream({ messages: [], tools: [] }, { signal })) {
      if (event.type === 'text.delta') length += event.delta.length;
      last = event;
    }
    expect(length).toBe(count * 64 * 1024);
    expect(last).toMatchObject({ type: 'finish', reason: 'end_turn' });
  });

  describe('a cancel', () => {
    const aborted = { name: 'AbortError' };

    it('before the call asks nobody', async () => {
      const { error } = await collect(model(), {}, AbortSignal.abort());
      expect(error).toMatchObject(aborted);
      expect(server.requests).toHaveLength(0);
    });

    it('while nothing has come closes the connection', async () => {
      const controller = new AbortController();
      server.on(() => controller.abort());
      expect((await collect(model(), {}, controller.signal)).error).toMatchObject(aborted);
      await server.settled();
    });

    it('before the first event closes the connection', async () => {
      const controller = new AbortController();
      server.on((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': ping\n\n', () => setImmediate(() => controller.abort()));
      });
      expect((await collect(model(), {}, controller.signal)).error).toMatchObject(aborted);
      await server.settled();
    });

    it('in the middle of text or of a call closes the connection', async () => {
      for (const chunk of [text('part'), toolCall(0, { id: 'c', name: 'add', args: '{"a"' })]) {
        const controller = new AbortController();
        server.on({ chunks: [chunk], end: 'never' });
        const seen: string[] = [];
        const reading = async () => {
          const { signal } = controller;
          for await (const event of model().stream({ messages: [], tools: [] }, { signal })) {
            seen.push(event.type);
            controller.abort();
          }
        };
        await expect(reading()).rejects.toMatchObject(aborted);
        await server.settled();
        expect(seen).toHaveLength(1);
      }
    });

    it('between two attempts ends the wait', async () => {
      const controller = new AbortController();
      server.on((response) => {
        response.writeHead(503).end('{}', () => setImmediate(() => controller.abort()));
      });
      const slow = model({ retry: { initialDelayMs: 60_000, maxDelayMs: 60_000 } });
      expect((await collect(slow, {}, controller.signal)).error).toMatchObject(aborted);
      expect(server.requests).toHaveLength(1);
    });

    it('by whoever stops reading closes the connection', async () => {
      server.on({ chunks: [text('part')], end: 'never' });
      const { signal } = new AbortController();
      for await (const event of model().stream({ messages: [], tools: [] }, { signal })) {
        expect(event.type).toBe('text.delta');
        break;
      }
      await server.settled();
    });
  });

  it('a missing key: only the first call says so', async () => {
    const key = process.env['OPENAI_API_KEY'];
    delete process.env['OPENAI_API_KEY'];
    try {
      const keyless = openai({ baseURL: 'https://api.openai.com/v1' });
      expect((await collect(keyless)).error).toMatchObject({
        code: 'model_authentication',
        message: expect.stringContaining('OPENAI_API_KEY'),
      });
      // A server of one's own needs none, and is sent none.
      server.on({ chunks: [text('hi'), finish('stop')] });
      const own = openai({ model: 'm', baseURL: server.url });
      expect(textIn((await collect(own)).events)).toBe('hi');
      expect(server.requests[0]?.headers.authorization).toBeUndefined();
    } finally {
      if (key !== undefined) process.env['OPENAI_API_KEY'] = key;
    }
  });
});
