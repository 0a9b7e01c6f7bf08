import { textMessage, type Message, type ToolDefinition } from 'nestjs-agent';
import { anthropic } from 'nestjs-agent/anthropic';
import { collect, DONE, serverForEachTest, textIn } from './support/models';
import { saidContent } from './support/models/said-content';

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};

function event(type: string, value: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
}
const start = event('message_start', {
  message: { usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } },
});
const block = (index: number, content_block: object) =>
  event('content_block_start', { index, content_block });
const change = (index: number, delta: object) => event('content_block_delta', { index, delta });
const stop = (stop_reason: string) =>
  event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 9 } }) +
  event('message_stop');

describe('anthropic()', () => {
  const server = serverForEachTest();
  const model = (options: Partial<Parameters<typeof anthropic>[0]> = {}) =>
    anthropic({
      model: 'claude',
      apiKey: 'sk-ant-secret',
      baseURL: server.url.replace('/v1', ''),
      retry: { initialDelayMs: 1, maxDelayMs: 1 },
      ...options,
    });

  it('streams thought, text and calls, split anywhere', async () => {
    const bytes = Buffer.from(
      [
        start,
        block(0, { type: 'thinking', thinking: '' }),
        change(0, { type: 'thinking_delta', thinking: 'hm' }),
        change(0, { type: 'signature_delta', signature: 'sig' }),
        event('ping'),
        block(1, { type: 'redacted_thinking', data: 'xyz' }),
        block(2, { type: 'text', text: '' }),
        change(2, { type: 'text_delta', text: 'Ich füge 🎉' }),
        block(3, { type: 'tool_use', id: 'toolu_1', name: 'add', input: {} }),
        change(3, { type: 'input_json_delta', partial_json: '{"a"' }),
        change(3, { type: 'input_json_delta', partial_json: ':1}' }),
        block(4, { type: 'tool_use', id: 'toolu_2', name: 'add', input: {} }),
        stop('tool_use'),
      ].join(''),
    );
    server.on({ chunks: Array.from(bytes, (byte) => Buffer.from([byte])) });
    const { events, error } = await collect(model(), { tools: [ADD] });
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: 'reasoning.delta', delta: 'hm' },
      { type: 'reasoning.end', providerData: { anthropic: { signature: 'sig' } } },
      { type: 'reasoning.end', providerData: { anthropic: { redacted: 'xyz' } } },
      { type: 'text.delta', delta: 'Ich füge 🎉' },
      { type: 'tool_use.delta', id: 'toolu_1', name: 'add', delta: '{"a"' },
      { type: 'tool_use.delta', id: 'toolu_1', name: 'add', delta: ':1}' },
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 'add', input: {} },
      {
        type: 'finish',
        reason: 'tool_use',
        usage: {
          inputTokens: 12,
          outputTokens: 9,
          totalTokens: 21,
          cachedInputTokens: 7,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        },
      },
    ]);
  });

  it.each<[string, number[], number[]]>([
    ['under the next index', [0, 1, 2, 3], [1, 2, 3, 4]],
    ['under the index before', [0, 1, 2, 3], [-1, 0, 1, 2]],
    ['under the first index', [0, 1, 2, 3], [0, 0, 0, 0]],
    ['of blocks that have one index', [0, 0, 0, 0], [0, 1, 2, 3]],
  ])('reads pieces %s as those of the open block', async (_, blocks, pieces) => {
    const calls = [1, 2].map((a) => ({
      type: 'tool_use',
      id: `toolu_${a}`,
      name: 'add',
      input: { a },
    }));
    const said = [
      [
        { type: 'server_tool_use', id: 's', name: 'find' },
        { type: 'input_json_delta', partial_json: '{"q":1}' },
      ],
      [
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Adding.' },
      ],
      ...calls.map(({ input, ...call }) => [
        { ...call, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      ]),
    ].flatMap(([begun = {}, piece = {}], at) => [
      block(blocks[at] ?? 0, begun),
      change(pieces[at] ?? 0, piece),
      event('content_block_stop', { index: blocks[at] }),
    ]);
    server.on({ chunks: [start, ...said, stop('tool_use')] });
    const { events } = await collect(model(), { tools: [ADD] });
    expect(textIn(events)).toBe('Adding.');
    expect(events.filter(({ type }) => type === 'tool_use')).toEqual(calls);
    expect(events).toContainEqual(expect.objectContaining({ name: 'find', input: { q: 1 } }));
  });

  it('gives thoughts between calls back in their place, which they are signed for', async () => {
    const thought = (index: number, thinking: string) =>
      block(index, { type: 'thinking', thinking: '' }) +
      change(index, { type: 'thinking_delta', thinking }) +
      change(index, { type: 'signature_delta', signature: `signed ${thinking}` });
    const call = (index: number, id: string) =>
      block(index, { type: 'tool_use', id, name: 'add', input: {} }) +
      change(index, { type: 'input_json_delta', partial_json: '{"a":1}' });
    server.on(
      {
        chunks: [
          ...[start, thought(0, 'first'), call(1, 'a'), call(2, 'b')],
          ...[thought(3, 'then'), call(4, 'c'), stop('tool_use')],
        ],
      },
      { chunks: [start, stop('end_turn')] },
    );
    const content = await saidContent(model(), { tools: [ADD] });
    const results = ['a', 'b', 'c'].map((tool_use_id) => {
      return { type: 'tool_result' as const, tool_use_id, content: '1', is_error: false };
    });
    const history: Message[] = [
      textMessage('user', 'add'),
      { role: 'assistant', content },
      { role: 'user', content: results },
    ];
    await collect(model(), { messages: history, tools: [ADD] });
    const { messages } = server.requests[1]?.body as unknown as { messages: object[] };
    const signed = (thinking: string) => {
      return { type: 'thinking', thinking, signature: `signed ${thinking}` };
    };
    const used = (id: string) => ({ type: 'tool_use', id, name: 'add', input: { a: 1 } });
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [signed('first'), used('a'), used('b'), signed('then'), used('c')],
    });
  });

  it('sends history, tools and marks for the cache', async () => {
    server.on({ chunks: [start, stop('end_turn')] });
    const messages: Message[] = [
      textMessage('system', 'Summary.'),
      textMessage('user', 'add'),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerData: { anthropic: { signature: 'sig' } } },
          { type: 'reasoning', text: 'of another provider' },
          { type: 'tool_use', id: 'a:1', name: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and' },
          { type: 'tool_result', tool_use_id: 'a:1', content: 'no', is_error: true },
        ],
      },
    ];
    await collect(model({ thinking: { budgetTokens: 2_000 } }), {
      system: 'Be kind.',
      messages,
      tools: [ADD],
      toolChoice: 'auto',
      maxTokens: 100,
    });
    const id = `id_${Buffer.from('a:1', 'utf16le').toString('base64url')}`;
    const cache_control = { type: 'ephemeral' };
    expect(server.requests[0]?.path).toBe('/v1/messages');
    expect(JSON.stringify(server.requests[0]?.headers)).toContain('sk-ant-secret');
    expect(server.requests[0]?.body).toEqual({
      model: 'claude',
      stream: true,
      max_tokens: 3_024,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      system: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: 'Summary.', cache_control },
      ],
      tools: [{ ...ADD, cache_control }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'add', cache_control }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'sig' },
            { type: 'tool_use', id, name: 'add', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: id, content: 'no', is_error: true },
            { type: 'text', text: 'and', cache_control },
          ],
        },
      ],
    });
  });

  it('thinks as much as it sees fit, where that is wanted', async () => {
    server.on({ chunks: [start, stop('end_turn')] });
    await collect(model({ thinking: 'adaptive' }), { tools: [ADD], maxTokens: 100 });
    expect(server.requests[0]?.body).toMatchObject({
      max_tokens: 100,
      thinking: { type: 'adaptive', display: 'summarized' },
    });
  });

  it('leaves out settings that the model does not take', async () => {
    const newer = model();
    const message = '`temperature` is deprecated for this model.';
    const error = { type: 'invalid_request_error', message };
    server.on({ status: 400, chunks: [JSON.stringify({ type: 'error', error })] });
    server.always(() => ({ chunks: [start, stop('end_turn')] }));
    for (let count = 0; count < 2; count += 1) {
      expect((await collect(newer, { temperature: 0.7 })).error).toBeUndefined();
    }
    expect(server.requests.map(({ body }) => body['temperature'])).toEqual([
      0.7,
      undefined,
      undefined,
    ]);
  });

  it("keeps to what the API takes of OpenAI's settings", async () => {
    server.always(() => ({ chunks: [start, stop('end_turn')] }));
    await collect(model(), { temperature: 1.5, stop: ['\n', 'END', ' '] });
    await collect(model(), { stop: ['\n'] });
    expect(server.requests[0]?.body).toMatchObject({ temperature: 1, stop_sequences: ['END'] });
    expect(server.requests[1]?.body).not.toHaveProperty('stop_sequences');
  });

  it('does not think where a call is forced, which leaves no room for it', async () => {
    server.on({ chunks: [start, stop('end_turn')] });
    await collect(model({ thinking: 'adaptive' }), { tools: [ADD], toolChoice: 'required' });
    expect(server.requests[0]?.body).not.toHaveProperty('thinking');
  });

  it.each([
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ name: 'add' }, { type: 'tool', name: 'add' }],
  ] as const)('lets the tool be chosen: %j', async (toolChoice, expected) => {
    server.on({ chunks: [start, stop('end_turn')] });
    await collect(model({ thinking: { budgetTokens: 2_000 } }), { tools: [ADD], toolChoice });
    expect(server.requests[0]?.body['tool_choice']).toEqual(expected);
  });

  it.each([
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['refusal', 'refusal'],
  ])('ends with %s', async (reason, expected) => {
    server.on({ chunks: [start, stop(reason)] });
    expect((await collect(model())).events.at(-1)).toMatchObject({ reason: expected });
  });

  it.each([
    [
      400,
      'invalid_request_error',
      'prompt is too long: 9 tokens > 8 maximum',
      'context_too_long',
      1,
    ],
    [
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
      'context_too_long',
      1,
    ],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'context_too_long', 1],
    [
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
      'model_rate_limited',
      1,
    ],
    [402, 'billing_error', 'payment is missing', 'model_rate_limited', 1],
    [400, 'invalid_request_error', 'max_tokens: must be at least 1', 'model_bad_request', 1],
    [401, 'authentication_error', 'invalid x-api-key sk-ant-secret', 'model_authentication', 1],
    [404, 'not_found_error', 'model: claude', 'model_not_found', 1],
    [429, 'rate_limit_error', 'slow down', 'model_rate_limited', 3],
    [529, 'overloaded_error', 'Overloaded', 'model_overloaded', 3],
  ])('%i %s', async (status, type, message, code, attempts) => {
    const reply = {
      status,
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify({ type: 'error', error: { type, message } })],
    };
    server.on(reply, reply, reply);
    const { error } = await collect(model());
    expect(error).toMatchObject({ name: 'ModelError', code });
    expect((error as Error).message).not.toContain('secret');
    expect(server.requests).toHaveLength(attempts);
  });

  it("takes a gateway's [DONE] for no event", async () => {
    const ended = event('message_delta', { delta: { stop_reason: 'end_turn' } });
    const said = change(0, { type: 'text_delta', text: 'well' });
    server.on({ chunks: [start, said, ended, DONE] }, { chunks: [start, said, DONE] });
    const whole = await collect(model());
    expect([textIn(whole.events), whole.error]).toEqual(['well', undefined]);
    const { error } = await collect(model());
    expect(error).toMatchObject({ message: 'The answer of the model claude was cut off.' });
  });

  it('reads a whole answer in JSON', async () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'I add.' },
      null,
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 'add', input: {} },
    ];
    const usage = { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 9 };
    const whole = { type: 'message', role: 'assistant', content, stop_reason: 'tool_use', usage };
    server.on({
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify(whole, null, 2)],
    });
    const { events, error } = await collect(model(), { tools: [ADD] });
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: 'reasoning.delta', delta: 'hm' },
      { type: 'reasoning.end', providerData: { anthropic: { signature: 'sig' } } },
      { type: 'reasoning.end', providerData: { anthropic: { redacted: 'xyz' } } },
      { type: 'text.delta', delta: 'I add.' },
      { type: 'tool_use.delta', id: 'toolu_1', name: 'add', delta: '{"a":1}' },
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
      { type: 'tool_use', id: 'toolu_2', name: 'add', input: {} },
      {
        type: 'finish',
        reason: 'tool_use',
        usage: {
          inputTokens: 12,
          outputTokens: 9,
          totalTokens: 21,
          cachedInputTokens: 7,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        },
      },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    { error: { type: 'rate_limit_error', message: 'x' } },
    { type: 'error', message: 'too many requests' },
    { type: 'rate_limit_error', message: 'x' },
  ])('finds the error in %j', async (reported) => {
    const frame = `event: error\ndata: ${JSON.stringify(reported)}\n\n`;
    server.on({ chunks: [start, change(0, { type: 'text_delta', text: 'part' }), frame] });
    expect((await collect(model())).error).toMatchObject({ code: 'model_rate_limited' });
  });

  it.each([
    event('content_block_delta', { index: 0, delta: null }),
    event('content_block_delta', { index: 0 }),
    event('content_block_start', { index: 0, content_block: null }),
    event('message_start', { message: null }),
    event('message_delta', { delta: null, usage: null }),
  ])('passes over an event with nothing in it: %j', async (empty) => {
    const said = start + change(0, { type: 'text_delta', text: 'part' });
    const stop = event('message_delta', { delta: { stop_reason: 'end_turn' } });
    server.on({ chunks: [said, empty, stop] });
    const { events, error } = await collect(model());
    expect(error).toBeUndefined();
    expect(textIn(events)).toBe('part');
  });

  it("takes the provider's filter as a refusal, with its status and within an answer", async () => {
    const error = {
      type: 'invalid_request_error',
      message: 'Output blocked by content filtering policy',
    };
    const said = start + change(0, { type: 'text_delta', text: 'part' });
    server.on(
      { status: 400, chunks: [JSON.stringify({ type: 'error', error })] },
      { chunks: [said, event('error', { error })] },
    );
    for (const before of ['', 'part']) {
      const { events, error: failure } = await collect(model());
      expect(failure).toBeUndefined();
      expect(textIn(events)).toBe(before);
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'refusal' });
    }
  });

  it("tells Z.ai's message of an address that it does not know, with status 200", async () => {
    server.on({ chunks: [JSON.stringify({ code: 500, msg: '404 NOT_FOUND', success: false })] });
    expect((await collect(model())).error).toMatchObject({ code: 'model_not_found' });
  });

  it("reads MiniMax's whole message after the stream once", async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } };
    const content = [{ type: 'text', text: 'Adding.' }, call];
    server.on({
      chunks: [
        start,
        block(0, { type: 'text', text: '' }),
        change(0, { type: 'text_delta', text: 'Adding.' }),
        block(1, call),
        event('message', { role: 'assistant', content }),
        stop('tool_use'),
      ],
    });
    const { events } = await collect(model(), { tools: [ADD] });
    expect(textIn(events)).toBe('Adding.');
    expect(events.filter(({ type }) => type === 'tool_use')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ reason: 'tool_use' });
  });

  it("reads a whole message's thought once if only its signature was sent", async () => {
    const thought = { type: 'thinking', thinking: '', signature: 'sig' };
    const content = [thought, { type: 'text', text: 'Adding.' }];
    const whole = event('message', { role: 'assistant', content });
    const sent = [
      block(0, { ...thought, signature: '' }),
      change(0, { type: 'signature_delta', signature: 'sig' }),
    ];
    server.on({ chunks: [start, ...sent, whole, stop('end_turn')] });
    const { events } = await collect(model());
    expect(events.map(({ type }) => type)).toEqual(['reasoning.end', 'text.delta', 'finish']);
  });

  it.each([
    ['a thought', [change(0, { type: 'thinking_delta', thinking: 'hm' })]],
    [
      'a thought and the beginning of a text',
      [change(0, { type: 'thinking_delta', thinking: 'hm' }), block(1, { type: 'text', text: '' })],
    ],
  ])('reads from a whole message after %s what the stream did not say', async (_, said) => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'Adding.' },
      { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 1 } },
    ];
    const begun = block(0, { type: 'thinking', thinking: '' });
    const whole = event('message', { role: 'assistant', content, stop_reason: 'tool_use' });
    server.on({ chunks: [start, begun, ...said, whole, stop('tool_use')] });
    const { events } = await collect(model(), { tools: [ADD] });
    expect(events.filter(({ type }) => type === 'reasoning.delta')).toHaveLength(1);
    expect(textIn(events)).toBe('Adding.');
    expect(events.filter(({ type }) => type === 'tool_use')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ reason: 'tool_use' });
  });

  it('keeps what was said where the stream reports an error or is cut', async () => {
    const said = start + change(0, { type: 'text_delta', text: 'part' });
    const overloaded = event('error', { error: { type: 'overloaded_error', message: 'x' } });
    server.on({ chunks: [said, overloaded] }, { chunks: [said] }, { chunks: [said], end: 'torn' });
    for (const code of ['model_overloaded', 'model_unavailable', 'model_unavailable']) {
      const { events, error } = await collect(model());
      expect(textIn(events)).toBe('part');
      expect(error).toMatchObject({ code });
    }
  });

  it('closes the connection on cancel', async () => {
    const controller = new AbortController();
    server.on({ chunks: [start, change(0, { type: 'text_delta', text: 'x' })], end: 'never' });
    const reading = async () => {
      const { signal } = controller;
      for await (const first of model().stream({ messages: [], tools: [] }, { signal })) {
        expect(first.type).toBe('text.delta');
        controller.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ name: 'AbortError' });
    await server.settled();
  });

  it('asks for its key at the first call only', async () => {
    const key = process.env['ANTHROPIC_API_KEY'];
    delete process.env['ANTHROPIC_API_KEY'];
    try {
      const { error } = await collect(anthropic({ model: 'claude' }));
      expect(error).toMatchObject({ code: 'model_authentication' });
    } finally {
      if (key !== undefined) process.env['ANTHROPIC_API_KEY'] = key;
    }
  });
});
