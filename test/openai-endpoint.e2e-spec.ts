import {
  Catch,
  HttpException,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
  UseGuards,
} from '@nestjs/common';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { ModelError } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import OpenAI from 'openai';
import { map, timeout } from 'rxjs';
import { z } from 'zod';
import { ADAPTERS, Closers, LoginGuard, removed, type AgentAppOptions } from './http/agent-app';

/** Changes that applications make to every response. */
@Injectable()
class WrappingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(
      timeout(30_000),
      map((data: unknown) => ({ wrapped: data })),
    );
  }
}

@Catch()
class RewritingFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const response = host
      .switchToHttp()
      .getResponse<{ status(code: number): { send(body: object): void } }>();
    const status = error instanceof HttpException ? error.getStatus() : 500;
    response.status(status).send({ rewritten: true });
  }
}

function intrude(app: INestApplication): void {
  app.useGlobalInterceptors(new WrappingInterceptor());
  app.useGlobalFilters(new RewritingFilter());
}

const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get-weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
};
const weatherName = /^get_weather_[0-9a-f]{8}$/;

describe.each(ADAPTERS)("OpenAI's protocol on %s", (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const serve = async (options: AgentAppOptions) => {
    const opened = await apps.open({
      adapter,
      decorators: [UseGuards(LoginGuard)],
      prepare: intrude,
      ...options,
    });
    const connect = (apiKey: string) =>
      new OpenAI({ baseURL: `${opened.url}/agent/v1`, apiKey, maxRetries: 0 });
    return { ...opened, client: connect('alice'), connect };
  };
  const ask = (content: string) => ({
    model: 'agent',
    messages: [{ role: 'user' as const, content }],
  });

  it('answers a completion, its own tools run inside', async () => {
    const { client, model } = await serve({
      steps: [
        { text: 'Let me add.', toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] },
        'It is 3.',
      ],
    });
    const completion = await client.chat.completions.create({
      ...ask('add 1 and 2'),
      max_tokens: 77,
      temperature: 0.5,
      stop: ['END'],
      user: 'someone',
      seed: 1,
    });
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'agent',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Let me add.\n\nIt is 3.', refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    });
    expect(model.requests[0]).toMatchObject({ maxTokens: 77, temperature: 0.5, stop: ['END'] });
  });

  it("takes no more output tokens from the client than the application's limit", async () => {
    const { client, model } = await serve({ maxTokens: 500, steps: ['One.', 'Two.'] });
    await client.chat.completions.create({ ...ask('hi'), max_tokens: 1_000_000 });
    await client.chat.completions.create({ ...ask('hi'), max_completion_tokens: 20 });
    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([500, 20]);
  });

  it('streams the same text, with usage where it is asked for', async () => {
    const steps = [
      { text: ['Let ', 'me add.'], toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] },
      { text: ['It is', ' 3.'] },
    ];
    const { client } = await serve({ steps: [...steps, 'Bye.'] });
    const stream = await client.chat.completions.create({
      ...ask('add'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: 'assistant', content: '' });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      'Let me add.\n\nIt is 3.',
    );
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 30 } });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);

    const plain = client.chat.completions.stream(ask('bye'));
    expect((await plain.finalChatCompletion()).choices[0]?.message.content).toBe('Bye.');
  });

  it("hands the client's own calls back and offers only reading tools beside them", async () => {
    removed.length = 0;
    const { client, model } = await serve({
      steps: [
        (request) => {
          const own = request.tools.find(({ name }) => weatherName.test(name));
          return { toolCalls: [{ name: own?.name ?? '', input: { city: 'Oslo' } }] };
        },
        'It rains in Oslo.',
      ],
    });
    const runner = client.chat.completions.runTools({
      ...ask('weather in Oslo?'),
      tools: [
        {
          type: 'function',
          function: {
            ...WEATHER.function,
            parse: JSON.parse as (text: string) => { city: string },
            function: ({ city }: { city: string }) => `rain in ${city}`,
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('It rains in Oslo.');
    const [first, second] = model.requests;
    const offered = first?.tools.map(({ name }) => name) ?? [];
    expect(offered).toEqual(expect.arrayContaining(['add', 'read_note']));
    expect(offered).not.toContain('remove_file');
    expect(offered).not.toContain('delete_note');
    expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(second?.messages[2]?.content).toMatchObject([
      { type: 'tool_result', content: [{ type: 'text', text: 'rain in Oslo' }] },
    ]);
  });

  it("streams the client's own calls whole", async () => {
    const { client } = await serve({
      steps: [
        (request) => ({
          toolCalls: [
            {
              name: request.tools.find(({ name }) => weatherName.test(name))?.name ?? '',
              input: { city: 'Oslo' },
            },
          ],
        }),
      ],
    });
    const { choices } = await client.chat.completions
      .stream({ ...ask('weather?'), tools: [WEATHER] })
      .finalChatCompletion();
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [
          { type: 'function', function: { name: 'get-weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
    });
  });

  it('runs no call of the history, and none that would have to ask', async () => {
    removed.length = 0;
    const { client, model } = await serve({
      steps: [{ toolCalls: [{ name: 'remove_file', input: { name: 'b' } }] }, 'Fine.'],
      seesAll: true,
    });
    await client.chat.completions.create({
      model: 'agent',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'remove a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'remove_file', arguments: '{"name":"a"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'removed a' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          ],
        },
      ],
    });
    expect(removed).toEqual([]);
    expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([{ is_error: true }]);
    expect(model.requests[0]?.messages.at(-1)?.content).toEqual([
      { type: 'text', text: 'and this?' },
      { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'image', url: 'https://example.com/a.png' },
    ]);
  });

  it('says length, and that the steps ran out', async () => {
    const { client } = await serve({
      maxSteps: 1,
      steps: [
        { text: 'A long', finishReason: 'max_tokens' },
        { text: 'First.', toolCalls: [{ name: 'add', input: { a: 1, b: 1 } }] },
      ],
    });
    const cut = await client.chat.completions.create(ask('long'));
    expect(cut.choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: 'A long' },
    });
    const { choices } = await client.chat.completions.create(ask('steps'));
    expect(choices[0]?.message.content).toMatch(/^First\.\n\nI've executed the requested actions/);
    expect(choices[0]?.finish_reason).toBe('stop');
  });

  it('lists the models and takes the names it lists', async () => {
    const other = new ScriptedModel(['From the other.'], { name: 'vendor-model' });
    const { client } = await serve({ models: { other }, steps: ['One.', 'Two.'] });
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(['agent', 'scripted', 'other']);
    expect(await client.models.retrieve('other')).toMatchObject({ id: 'other', object: 'model' });
    const answers = [];
    for (const model of ids) {
      const { choices } = await client.chat.completions.create({ ...ask('hi'), model });
      answers.push(choices[0]?.message.content);
    }
    expect(answers).toEqual(['One.', 'Two.', 'From the other.']);
    await expect(client.models.retrieve('none')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    await expect(
      client.chat.completions.create({ ...ask('hi'), model: 'none' }),
    ).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: expect.stringContaining('GET /v1/models') as unknown,
    });
  });

  it.each([
    [{ n: 2 }, 'n'],
    [{ audio: { voice: 'alloy', format: 'wav' } }, 'audio'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: 1 } } },
      'response_format.json_schema.schema',
    ],
    [{ logprobs: true }, 'logprobs'],
    [{ top_p: 1.1 }, 'top_p'],
    [{ seed: 0.5 }, 'seed'],
    [{ presence_penalty: -3 }, 'presence_penalty'],
    [{ frequency_penalty: 'much' }, 'frequency_penalty'],
    [{ reasoning_effort: 'think\nharder' }, 'reasoning_effort'],
    [{ verbosity: 3 }, 'verbosity'],
    [{ functions: [{ name: 'add' }] }, 'functions'],
    [{ function_call: 'auto' }, 'function_call'],
    [{ temperature: 3 }, 'temperature'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ stream: 'yes' }, 'stream'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
    [
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'messages[0].content[0].type',
    ],
    [
      {
        messages: [
          { role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://x/y' } }] },
        ],
      },
      'messages[0].content[0].type',
    ],
    [
      { messages: [{ role: 'assistant', function_call: { name: 'add', arguments: '{}' } }] },
      'messages[0].function_call',
    ],
    [{ messages: [{ role: 'assistant', audio: { id: 'x' } }] }, 'messages[0].audio'],
    [{ messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }, 'messages[0].tool_call_id'],
    [{ tools: [{ type: 'custom', custom: {} }] }, 'tools[0]'],
    [{ tool_choice: 'sometimes' }, 'tool_choice'],
  ])('refuses %j and names the parameter', async (fields, param) => {
    const { client } = await serve({});
    const body = { ...ask('hi'), ...fields } as unknown as OpenAI.ChatCompletionCreateParams;
    const error = await client.chat.completions.create(body).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ status: 400, param, type: 'invalid_request_error' });
  });

  const functionTool = (name: string, parameters: Record<string, unknown> = {}) =>
    ({ type: 'function', function: { name, parameters } }) as const;
  const choice = (name: string) => ({ type: 'function', function: { name } }) as const;
  it.each([
    [
      { tools: [functionTool('mine'), functionTool('add')] },
      'tools[1]',
      /^tools\[1\]: the server already has a tool named "add"/,
    ],
    [
      { tools: [functionTool('mine'), functionTool('mine')] },
      'tools[1]',
      /^tools\[1\]: .* defined twice/,
    ],
    [
      { tools: [functionTool('big', { description: 'x'.repeat(17_000) })] },
      'tools[0]',
      /16384 bytes/,
    ],
    [
      { tools: [functionTool('odd', { properties: 5 })] },
      'tools[0]',
      /^tools\[0\]: "function\.parameters\.properties"/,
    ],
    [
      { tools: [functionTool('odd', { type: 'array' })] },
      'tools[0]',
      /function\.parameters\.type" must be "object"/,
    ],
    [{ tools: Array.from({ length: 65 }, () => functionTool('mine')) }, 'tools', /^"tools" has 65/],
    [
      { tool_choice: choice('nowhere') },
      'tool_choice',
      /^"tool_choice" names a tool that is not offered/,
    ],
    [{ tool_choice: choice('remove_file') }, 'tool_choice', /not offered/],
  ])(
    "says in OpenAI's words what is wrong with the client's tools",
    async (fields, param, says) => {
      const { client, model } = await serve({});
      await expect(
        client.chat.completions.create({ ...ask('hi'), ...fields }),
      ).rejects.toMatchObject({
        status: 400,
        type: 'invalid_request_error',
        code: 'invalid_request_error',
        param,
        error: { message: expect.stringMatching(says) },
      });
      expect(model.requests).toEqual([]);
    },
  );

  it("says so where the client's tools are switched off", async () => {
    const { client } = await serve({ frontendTools: false });
    await expect(
      client.chat.completions.create({ ...ask('hi'), tools: [functionTool('mine')] }),
    ).rejects.toMatchObject({
      status: 400,
      param: 'tools',
      error: { message: 'Tools of the client are disabled.' },
    });
  });

  it("words every failure as OpenAI does, whatever the application's filters", async () => {
    const { url, client, connect, model } = await serve({});
    for (const key of ['wrong', '']) {
      await expect(
        connect(key || 'wrong').chat.completions.create(ask('hi')),
      ).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
    const send = (body: string, type = 'application/json') =>
      fetch(`${url}/agent/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer alice', 'content-type': type, connection: 'close' },
        body,
      });
    for (const [body, type, status] of [
      ['{"model":', undefined, 400],
      ['[]', undefined, 400],
      ['model=agent', 'application/x-www-form-urlencoded', 415],
      [' '.repeat(4_194_305), undefined, 413],
    ] as const) {
      const response = await send(body, type);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        error: {
          message: expect.any(String),
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_request_error',
        },
      });
    }
    const failures = [
      [
        new ModelError('model_rate_limited', 'The model is busy.', { retryAfterMs: 1_500 }),
        429,
        'rate_limit_exceeded',
      ],
      [new ModelError('model_unavailable', 'The model is away.'), 502, 'server_error'],
      [new Error('secret'), 500, 'server_error'],
    ] as const;
    for (const [failure, status, code] of failures) {
      for (const stream of [false, true]) {
        model.push(failure);
        const error: unknown = await client.chat.completions
          .create({ ...ask('hi'), stream })
          .then(() => undefined)
          .catch((reason: unknown) => reason);
        expect(error).toMatchObject({ status, code });
        const headers = (error as { headers: Headers }).headers;
        expect(headers.get('retry-after')).toBe(status === 429 ? '2' : null);
        expect(String(error)).not.toContain('secret');
      }
    }
  });

  it('ends a stream that fails midway with an error its client throws', async () => {
    const { client } = await serve({
      steps: [
        [
          { type: 'text.delta', delta: 'Half' },
          new ModelError('model_unavailable', 'The model went away.'),
        ],
      ],
    });
    const stream = await client.chat.completions.create({ ...ask('hi'), stream: true });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? '');
    })();
    await expect(reading).rejects.toThrow(/went away/);
    expect(texts.join('')).toBe('Half');
  });

  it('works with the AI SDK: text, streams, tools', async () => {
    const { url } = await serve({
      steps: [
        'Hello.',
        { text: ['One ', 'two.'] },
        (request) => ({
          toolCalls: [
            {
              name: request.tools.find(({ name }) => name.startsWith('get_weather'))?.name ?? '',
              input: { city: 'Oslo' },
            },
          ],
        }),
        'It rains.',
      ],
    });
    const provider = createOpenAICompatible({
      name: 'agent',
      baseURL: `${url}/agent/v1`,
      apiKey: 'alice',
      includeUsage: true,
    });
    const model = provider('agent');
    const hello = await generateText({ model, prompt: 'hi', maxRetries: 0 });
    expect(hello.text).toBe('Hello.');
    expect(hello.usage.totalTokens).toBe(15);
    const stream = streamText({ model, prompt: 'count', maxRetries: 0 });
    expect(await stream.text).toBe('One two.');
    expect((await stream.usage).totalTokens).toBe(15);
    const withTools = streamText({
      model,
      prompt: 'weather?',
      maxRetries: 0,
      stopWhen: stepCountIs(3),
      tools: {
        get_weather: tool({
          description: 'The weather in a city',
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => `rain in ${city}`,
        }),
      },
    });
    expect(await withTools.text).toBe('It rains.');
  });
});
