import { openai, type ToolDefinition } from 'nestjs-agent';
import { collect, delta, DONE, frame, serverForEachTest, text, textIn } from './support/models';

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: { type: 'object', properties: { a: { type: 'number' } } },
};

const behindOpenRouter = (error: object): object => ({
  error: {
    message: 'Provider returned error',
    code: 400,
    metadata: { raw: JSON.stringify({ error }), provider_name: 'X' },
  },
});

describe('openai() reads errors as services send them', () => {
  const server = serverForEachTest();
  const model = (baseURL = server.url) =>
    openai({ model: 'm', apiKey: 'k', baseURL, retry: { maxAttempts: 1 } });

  const failed = {
    code: 'tool_use_failed',
    message: 'Tool call validation failed',
    failed_generation: '{"name": "add", "arguments": {"b": 1}}',
  };
  const call = { type: 'tool_use', name: 'add', input: { b: 1 } };

  it("Groq's failed call, as a call, so that the model hears what is wrong", async () => {
    server.on(
      { chunks: [delta({ reasoning: 'hm' }), frame({ error: failed })] },
      { status: 400, chunks: [JSON.stringify({ error: failed })] },
    );
    for (const place of ['in the stream', 'instead of it']) {
      const { events, error } = await collect(model(), { tools: [ADD] });
      expect(error).toBeUndefined();
      const finished = { type: 'finish', reason: 'tool_use' };
      expect([place, ...events.slice(-2)]).toMatchObject([place, call, finished]);
    }
  });

  it.each([
    ['<function=add>{"a": 1}</function>', { name: 'add', input: { a: 1 } }],
    ['I would add them.', { name: 'add', malformedInput: 'I would add them.' }],
  ])("Groq's failed call, written as %s", async (failed_generation, expected) => {
    server.on({ chunks: [frame({ error: { ...failed, failed_generation } })] });
    const { events } = await collect(model(), { tools: [ADD] });
    expect(events.at(-2)).toMatchObject({ type: 'tool_use', ...expected });
  });

  it("Azure's content filter, as a refusal", async () => {
    const error = { code: 'content_filter', message: 'The response was filtered', status: 400 };
    server.on(
      { status: 400, chunks: [JSON.stringify({ error })] },
      { chunks: [JSON.stringify({ error })] },
    );
    for (const place of ['with a status', 'without']) {
      const { events } = await collect(model());
      expect([place, ...events]).toEqual([place, { type: 'finish', reason: 'refusal' }]);
    }
  });

  it.each([
    "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. Please use /v1/responses or set reasoning_effort to 'none'.",
    "The model 'm' does not support the '/v1/chat/completions' API",
  ])('a model that needs the Responses API: the error names the cure: %s', async (message) => {
    server.on({ status: 400, chunks: [JSON.stringify({ error: { message } })] });
    const { error } = await collect(model());
    expect(error).toMatchObject({ code: 'model_bad_request' });
    expect(String(error)).toContain("openai({ api: 'responses' })");
  });

  // Each with its status, and within an answer.
  it.each<readonly [string, number, object]>([
    [
      'OpenRouter',
      403,
      {
        error: {
          code: 403,
          message: 'This model requires moderation on X. Your input was flagged.',
          metadata: { reasons: ['violence'], flagged_input: 'hello', provider_name: 'X' },
        },
      },
    ],
    [
      'a provider behind OpenRouter',
      403,
      { error: { code: 403, message: 'Blocked', metadata: { error_type: 'refusal' } } },
    ],
    [
      'xAI',
      403,
      {
        code: 'The caller does not have permission to execute the specified operation',
        error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
      },
    ],
    [
      'Kimi',
      400,
      { error: { message: 'It was considered high risk', type: 'content_filter', code: 400 } },
    ],
    [
      'DeepSeek',
      400,
      {
        error: {
          message: 'Content Exists Risk',
          type: 'invalid_request_error',
          code: 'invalid_request_error',
        },
      },
    ],
    [
      'Zhipu',
      400,
      { error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全内容' } },
    ],
    [
      'MiniMax',
      422,
      {
        type: 'error',
        error: { type: 'bad_request_error', message: 'input new_sensitive (1026)' },
      },
    ],
    [
      'DeepSeek, in its own words behind OpenRouter',
      400,
      behindOpenRouter({ message: 'Content Exists Risk', type: 'invalid_request_error' }),
    ],
    [
      'Azure, by its code behind OpenRouter',
      400,
      behindOpenRouter({ code: 'content_filter', message: 'The response was filtered' }),
    ],
    [
      'Azure behind LiteLLM',
      400,
      {
        error: {
          code: '400',
          message:
            'litellm.ContentPolicyViolationError: AzureException - The response was filtered',
        },
      },
    ],
    [
      'DeepSeek behind LiteLLM',
      400,
      {
        error: {
          code: '400',
          message:
            'litellm.BadRequestError: DeepseekException - {"error":{"message":"Content Exists Risk"}}',
        },
      },
    ],
    [
      'DeepSeek behind another gateway',
      400,
      { error: { message: 'HTTP 400: Content Exists Risk (request id: 01KZ)' } },
    ],
    [
      'MiniMax behind another gateway',
      400,
      { error: { message: 'Upstream: invalid params, output new_sensitive (1027)' } },
    ],
  ])('the content filter of %s, as a refusal', async (_, status, body) => {
    server.on({ status, chunks: [JSON.stringify(body)] }, { chunks: [text('Hm'), frame(body)] });
    for (const before of ['', 'Hm']) {
      const { events, error } = await collect(model());
      expect(error).toBeUndefined();
      expect(textIn(events)).toBe(before);
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'refusal' });
    }
  });

  it.each<readonly [string, number, object, string]>([
    [
      "vLLM's, which quotes the conversation",
      400,
      {
        error: {
          message:
            "[{'type': 'value_error', 'input': 'What does DeepSeek mean by \"Content Exists Risk\"?'}]",
        },
      },
      'model_bad_request',
    ],
    [
      "a gateway's, which quotes the conversation",
      422,
      { error: { message: "Invalid 'content': what means: input new_sensitive (1026)" } },
      'model_bad_request',
    ],
    [
      "a network proxy's, which filters addresses",
      403,
      { error: 'Request blocked by content filtering: category AI' },
      'model_authentication',
    ],
  ])('an error that only sounds like a refusal, as an error: %s', async (_, status, body, code) => {
    server.on({ status, chunks: [JSON.stringify(body)] });
    const { events, error } = await collect(model());
    expect(events).toEqual([]);
    expect(error).toMatchObject({ code });
  });

  // MiniMax's, with status 200.
  it.each([
    [1008, 'insufficient balance', 'model_rate_limited'],
    [1002, 'rate limit', 'model_rate_limited'],
    [
      1004,
      "login fail: Please carry the API secret key in the 'Authorization' field",
      'model_authentication',
    ],
    [1013, 'unknown error', 'model_unavailable'],
  ])('a state instead of an answer: %i %s', async (status_code, status_msg, code) => {
    const body = { choices: null, base_resp: { status_code, status_msg } };
    server.on({ chunks: [JSON.stringify(body)] });
    expect((await collect(model())).error).toMatchObject({ code });
  });

  it('a state without an error, as none', async () => {
    const base_resp = { status_code: 0, status_msg: '' };
    const choices = [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }];
    server.on({ chunks: [frame({ choices, base_resp }), DONE] });
    expect(textIn((await collect(model())).events)).toBe('Hello');
  });

  it("Z.ai's, of an address that it does not know, with status 200", async () => {
    server.on({ chunks: [JSON.stringify({ code: 500, msg: '404 NOT_FOUND', success: false })] });
    expect((await collect(model())).error).toMatchObject({ code: 'model_not_found' });
  });

  it.each([
    { detail: 'Rate limit exceeded' },
    { detail: [{ msg: 'Rate limit exceeded' }] },
    { errors: [{ message: 'Rate limit exceeded' }], success: false },
  ])('a gateway, which reports %j within an answer', async (reported) => {
    server.on({ chunks: [text('Hm'), frame(reported), DONE] });
    const { events, error } = await collect(model());
    expect(error).toMatchObject({ code: 'model_rate_limited' });
    expect(events).toEqual([{ type: 'text.delta', delta: 'Hm' }]);
  });

  it("Groq's reason for a stream that it stopped", async () => {
    server.on({ chunks: [text('Hm'), frame({ choices: [], x_groq: { error: 'over capacity' } })] });
    expect((await collect(model())).error).toMatchObject({ code: 'model_overloaded' });
  });

  it("llama.cpp's, in a field of its own", async () => {
    const message = 'the request exceeds the available context size';
    const error = JSON.stringify({ code: 400, message, type: 'invalid_request_error' });
    server.on({ chunks: [`error: ${error}\n\n`, DONE] });
    expect((await collect(model())).error).toMatchObject({ code: 'context_too_long' });
  });
});
