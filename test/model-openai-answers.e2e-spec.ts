import {
  openai,
  textMessage,
  type Message,
  type ModelEvent,
  type ToolDefinition,
} from 'nestjs-agent';
import type { ContentBlock } from 'nestjs-agent/types';
import {
  collect,
  delta,
  DONE,
  finish,
  frame,
  serverForEachTest,
  text,
  textIn,
  toolCall,
} from './support/models';
import { saidContent } from './support/models/said-content';

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: { type: 'object', properties: { a: { type: 'number' } } },
};

describe('openai() reads answers as services send them', () => {
  const server = serverForEachTest();
  const model = (baseURL = server.url) =>
    openai({ model: 'm', apiKey: 'k', baseURL, retry: { maxAttempts: 1 } });

  const end = (events: readonly ModelEvent[]) => events.at(-1);
  const choice = (index: number, content: string, reason: string | null = null) => ({
    index,
    delta: { content },
    finish_reason: reason,
  });

  it('the first of several answers', async () => {
    server.on({
      chunks: [
        frame({ choices: [choice(0, 'Hel'), choice(1, 'Good')] }),
        frame({ choices: [choice(1, 'bye', 'stop')] }),
        frame({ choices: [choice(0, 'lo', 'stop')] }),
        DONE,
      ],
    });
    expect(textIn((await collect(model())).events)).toBe('Hello');
  });

  it('a whole message beside an empty delta', async () => {
    const message = { role: 'assistant', content: 'Hello' };
    const choices = [{ index: 0, delta: { content: '' }, message, finish_reason: 'stop' }];
    server.on({ chunks: [JSON.stringify({ choices })] });
    expect(textIn((await collect(model())).events)).toBe('Hello');
  });

  it('pieces of text that are no strings, as those of Workers AI', async () => {
    const pieces = ['It costs $', 0.5, ' [', 1, ']: ', true];
    const chunks = pieces.map((content) => frame({ choices: [{ delta: { content } }] }));
    server.on({ chunks: [...chunks, finish('stop'), DONE] });
    expect(textIn((await collect(model())).events)).toBe('It costs $0.5 [1]: true');
  });

  it("MiniMax's whole message at the end of a stream, once", async () => {
    const whole = {
      role: 'assistant',
      content: '<think>hm</think>Adding.',
      tool_calls: [{ id: 'c1', function: { name: 'add', arguments: '{"a":1}' } }],
    };
    const choices = [{ index: 0, message: whole, finish_reason: 'tool_calls' }];
    server.on({
      chunks: [
        text('<think>hm</think>Adding.'),
        toolCall(0, { id: 'c1', name: 'add', args: '{"a":1}' }),
        frame({ object: 'chat.completion', choices, usage: { total_tokens: 9 } }),
      ],
    });
    const { events } = await collect(model(), { tools: [ADD] });
    expect(textIn(events)).toBe('Adding.');
    expect(events.filter(({ type }) => type === 'reasoning.delta')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'tool_use')).toHaveLength(1);
    expect(end(events)).toMatchObject({ reason: 'tool_use', usage: { totalTokens: 9 } });
  });

  describe('a whole message at the end of a stream that said only a part of it', () => {
    const CALL = { id: 'c1', function: { name: 'add', arguments: '{"a":1}' } };
    const answers = async (said: readonly string[], message: object, reason: string) => {
      const choices = [{ index: 0, message, finish_reason: reason }];
      server.on({ chunks: [...said, frame({ choices }), DONE] });
      const { events, error } = await collect(model(), { tools: [ADD] });
      expect(error).toBeUndefined();
      const ofType = (type: string) =>
        events.flatMap((one) => (one.type === type && 'delta' in one ? [one.delta] : [])).join('');
      const calls = events.filter(({ type }) => type === 'tool_use').length;
      return { thought: ofType('reasoning.delta'), text: ofType('text.delta'), calls, events };
    };

    it.each<readonly [string, readonly string[], object]>([
      ['in a field', [delta({ reasoning_content: 'hm' })], { content: 'Hello' }],
      [
        'in a field, which comes again',
        [delta({ reasoning_content: 'hm' })],
        { reasoning_content: 'hm', content: 'Hello' },
      ],
      ['between tags', [text('<think>hm</think>')], { content: 'Hello' }],
      [
        'between tags, which come again',
        [text('<think>hm</think>')],
        { content: '<think>hm</think>Hello' },
      ],
      [
        'both ways, and both come again',
        [delta({ content: '<think>hm</think>', reasoning_content: 'hm' })],
        { content: '<think>hm</think>Hello', reasoning_content: 'hm' },
      ],
    ])('gives the text behind a thought: %s', async (_, said, message) => {
      expect(await answers(said, message, 'stop')).toMatchObject({ thought: 'hm', text: 'Hello' });
    });

    it('gives the thought behind a text', async () => {
      const message = { content: 'Hello', reasoning_content: 'hm' };
      const said = await answers([text('Hello')], message, 'stop');
      expect(said).toMatchObject({ thought: 'hm', text: 'Hello' });
    });

    it('gives the calls and the sources behind a text', async () => {
      const annotations = [{ type: 'url_citation', url_citation: { url: 'https://a.example/' } }];
      const message = { content: 'Let me look.', tool_calls: [CALL], annotations };
      const first = [{ url: 'https://b.example/' }];
      const texts = [delta({ content: 'Let me look.', annotations: first })];
      const said = await answers(texts, message, 'tool_calls');
      expect(said).toMatchObject({ text: 'Let me look.', calls: 1 });
      expect(JSON.stringify(said.events)).toContain('https://a.example/');
      expect(end(said.events)).toMatchObject({ reason: 'tool_use' });
    });

    it.each([
      ['Hello.', 'Hello.'],
      ['Hello, world.', 'Hello.'],
      ['Hello. Adding.', 'Hello. Adding.'],
    ])('repeats nothing: %s', async (content, expected) => {
      const call = toolCall(0, { id: 'c1', name: 'add', args: '{"a":1}' });
      const message = { content, tool_calls: [CALL] };
      const said = await answers([text('Hello'), text('.'), call], message, 'tool_calls');
      expect(said).toMatchObject({ text: expected, calls: 1 });
    });
  });

  it('the end of the stream as the end of an answer that says nothing of it', async () => {
    server.on({ chunks: [text('Hello'), DONE] });
    const { events, error } = await collect(model());
    expect(error).toBeUndefined();
    expect(end(events)).toEqual({ type: 'finish', reason: 'end_turn' });
  });

  it('a whole answer that does not say why it ends', async () => {
    server.on({ chunks: [JSON.stringify({ choices: [{ message: { content: 'Hello' } }] })] });
    const { events } = await collect(model());
    expect(textIn(events)).toBe('Hello');
    expect(end(events)).toMatchObject({ reason: 'end_turn' });
  });

  it('thoughts between tags, without an option', async () => {
    server.on({ chunks: [text('<think>hm</think>\n\nHello'), finish('stop'), DONE] });
    expect((await collect(model())).events.slice(0, 2)).toEqual([
      { type: 'reasoning.delta', delta: 'hm' },
      { type: 'text.delta', delta: 'Hello' },
    ]);
  });

  it("Databricks' thoughts among the parts of the content", async () => {
    const part = (...words: readonly string[]) => {
      const summary = words.map((each) => ({ type: 'summary_text', text: each }));
      return delta({ content: [{ type: 'reasoning', summary }] });
    };
    const content = [{ type: 'text', text: 'Hello' }];
    server.on({ chunks: [part('h', 'm'), part('.'), delta({ content }), finish('stop'), DONE] });
    const { events } = await collect(model());
    expect(events).toEqual([
      { type: 'reasoning.delta', delta: 'hm' },
      { type: 'reasoning.delta', delta: '.' },
      { type: 'text.delta', delta: 'Hello' },
      { type: 'finish', reason: 'end_turn' },
    ]);
  });

  it("MiniMax's thoughts, which it sends twice: between tags and in their field", async () => {
    const said = (content: string, reasoning_content: string) =>
      delta({ content, reasoning_content });
    server.on({
      chunks: [said('<think>h', 'h'), said('m', 'm'), text('</think>Hello'), finish('stop'), DONE],
    });
    const { events } = await collect(model());
    const thought = events.flatMap((one) => (one.type === 'reasoning.delta' ? [one.delta] : []));
    expect([thought.join(''), textIn(events)]).toEqual(['hm', 'Hello']);
  });

  it.each<readonly [string, readonly string[]]>([
    [
      'in a stream',
      [
        delta({ reasoning_content: 'The user wants a tag.' }),
        text('<reasoning>Step 1</reasoning>'),
        text(' is how it looks.'),
        finish('stop'),
      ],
    ],
    [
      'in a stream that breaks the tag off',
      [
        delta({ reasoning_content: 'The user wants a tag.' }),
        text('<reasoning>Step 1 is how it looks.'),
        finish('stop'),
      ],
    ],
    [
      'in a whole answer',
      [
        frame({
          choices: [
            {
              message: {
                reasoning_content: 'The user wants a tag.',
                content: '<reasoning>Step 1</reasoning> is how it looks.',
              },
            },
          ],
        }),
      ],
    ],
  ])('an answer with a tag behind a thought in its field, %s: nothing is lost', async (_, said) => {
    server.on({ chunks: [...said, DONE] });
    const { events } = await collect(model());
    const words = events.flatMap((one) => ('delta' in one ? [one.delta] : [])).join(' ');
    expect(words.replace(/ +/g, ' ')).toBe('The user wants a tag. Step 1 is how it looks.');
  });

  it("MiniMax's whole answer, with its thought both ways", async () => {
    const message = { content: '<think>\nhm\n</think>\n\nHello', reasoning_content: 'hm' };
    server.on({ chunks: [frame({ choices: [{ message }] }), DONE] });
    const { events } = await collect(model());
    const thoughts = events.filter(({ type }) => type === 'reasoning.delta');
    expect([thoughts.length, textIn(events)]).toEqual([1, 'Hello']);
  });

  describe("Gemini's thoughts between tags", () => {
    const extra_content = { google: { thought: true } };
    it.each([
      [
        'in pieces',
        [
          delta({ content: '<thought>h', extra_content }),
          delta({ content: 'm', extra_content }),
          text('</thought>Hello'),
        ],
      ],
      ['at once', [delta({ content: '<thought>hm</thought>Hello', extra_content })]],
    ])('%s, which do not mark the answer as a thought', async (_, said) => {
      server.on({ chunks: [...said, finish('stop'), DONE] });
      const { events } = await collect(model());
      const thought = events.flatMap((one) => (one.type === 'reasoning.delta' ? [one.delta] : []));
      expect([thought.join(''), textIn(events)]).toEqual(['hm', 'Hello']);
      expect(events.filter(({ type }) => type === 'text.end')).toEqual([]);
    });
  });

  it.each([
    [
      "DeepSeek's cache",
      { prompt_tokens: 20, completion_tokens: 2, total_tokens: 22, prompt_cache_hit_tokens: 16 },
      { inputTokens: 20, outputTokens: 2, totalTokens: 22, cachedInputTokens: 16 },
    ],
    [
      'thoughts beside what was written',
      {
        prompt_tokens: 40,
        completion_tokens: 14,
        total_tokens: 54,
        completion_tokens_details: { reasoning_tokens: 112 },
      },
      { inputTokens: 40, outputTokens: 126, totalTokens: 166, reasoningTokens: 112 },
    ],
    [
      "a prompt's sound in the total alone",
      {
        prompt_tokens: 9,
        completion_tokens: 248,
        total_tokens: 632,
        prompt_tokens_details: { audio_tokens: 375 },
      },
      { inputTokens: 384, outputTokens: 248, totalTokens: 632 },
    ],
    [
      "OpenRouter's cache",
      {
        prompt_tokens: 100,
        completion_tokens: 2,
        total_tokens: 102,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
      { cachedInputTokens: 60, cacheWriteTokens: 30 },
    ],
  ])('usage: %s', async (_, usage, expected) => {
    server.on({ chunks: [text('x'), finish('stop'), frame({ choices: [], usage }), DONE] });
    expect(end((await collect(model())).events)).toMatchObject({ usage: expected });
  });

  describe('pictures that the model made, as lost', () => {
    const picture = (url: string) => ({ type: 'image_url', image_url: { url } });
    const images = [picture('data:image/png;base64,iVBORw0KGgo='), picture('https://a.example/b')];
    it.each([
      ['in a stream', [delta({ content: 'Look', images }), finish('stop'), DONE], 'Look'],
      ['alone in a stream', [delta({ content: '', images }), DONE], ''],
      [
        'in a whole answer',
        [JSON.stringify({ choices: [{ message: { content: 'Look', images } }] })],
        'Look',
      ],
    ])('%s', async (_, chunks, said) => {
      server.on({ chunks });
      const { events, error } = await collect(model());
      expect(error).toBeUndefined();
      expect(textIn(events)).toBe(said);
      const lost = events.filter(({ type }) => type === 'provider_tool');
      expect(lost).toMatchObject(
        ['image/png', 'image/*'].map((kind) => ({
          notice: {
            code: 'picture_not_kept',
            message: `The picture or file that the model made (${kind}) is not kept.`,
          },
        })),
      );
      expect(new Set(lost.map((one) => 'id' in one && one.id)).size).toBe(2);
      expect(JSON.stringify(events)).not.toContain('iVBOR');
    });
  });

  it.each([
    ['MAX_TOKENS', 'max_tokens'],
    ['LENGTH', 'max_tokens'],
    ['STOP', 'end_turn'],
    ['CONTENT_FILTER', 'refusal'],
    ['SAFETY', 'refusal'],
    ['PROHIBITED_CONTENT', 'refusal'],
  ])('the reason %s, as gateways to Gemini write it', async (reason, expected) => {
    server.on({ chunks: [text('x'), finish(reason), DONE] });
    expect(end((await collect(model())).events)).toMatchObject({ reason: expected });
  });

  it.each([
    ['a frame', frame],
    ['a whole answer', JSON.stringify],
  ])("Gemini's list with an error, in %s", async (_, written) => {
    const error = { code: 429, message: 'Resource exhausted', status: 'RESOURCE_EXHAUSTED' };
    server.on({ chunks: [written([{ error }])] });
    const { error: failure } = await collect(model());
    expect(failure).toMatchObject({ code: 'model_rate_limited' });
  });

  it('the pages that an answer names, each once', async () => {
    const note = { url_citation: { url: 'https://a.example', title: 'A' } };
    server.on({
      chunks: [
        frame({ choices: [], citations: ['https://b.example', 'javascript:alert(1)'] }),
        delta({ content: 'x', annotations: [note, note] }),
        finish('stop'),
        DONE,
      ],
    });
    const { events } = await collect(model());
    expect(events.filter(({ type }) => type === 'source')).toEqual([
      { type: 'source', url: 'https://b.example' },
      { type: 'source', url: 'https://a.example', title: 'A' },
    ]);
  });

  it.each([
    [
      "Gemini's list of errors",
      400,
      [{ error: { code: 400, message: 'Unknown name "seed": Cannot find field.' } }],
    ],
    [
      "Mistral's details",
      422,
      {
        object: 'error',
        message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra' }] },
        type: 'invalid_request_error',
      },
    ],
    ["NVIDIA's text", 422, { detail: 'body -> seed\n  Extra inputs are not permitted' }],
  ])('that a setting is not taken, in %s: asks again without it', async (_, status, body) => {
    server.on(
      { status, chunks: [JSON.stringify(body)] },
      { chunks: [text('Hi'), finish('stop'), DONE] },
    );
    const { events } = await collect(model(), { seed: 1, temperature: 0 });
    expect(textIn(events)).toBe('Hi');
    const [first, second] = server.requests.map(({ body: asked }) => asked);
    expect(first).toMatchObject({ seed: 1, temperature: 0 });
    expect(second).toMatchObject({ temperature: 0 });
    expect(second).not.toHaveProperty('seed');
  });

  describe('what its model is', () => {
    const called: Message = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } }],
    };
    const result: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: '2', is_error: false }],
    };
    const union: ToolDefinition = {
      ...ADD,
      input_schema: {
        type: 'object',
        properties: {
          a: { type: 'string', anyOf: [{ format: 'date' }] },
          b: { type: 'string', pattern: '\\S' },
        },
      },
    };
    const stand = { google: { thought_signature: 'skip_thought_signature_validator' } };
    const system: Message = { role: 'system', content: [{ type: 'text', text: 'B' }] };

    it.each<[string, string, object]>([
      [
        'DeepSeek, which wants thoughts of answers without any',
        'The `reasoning_content` in the thinking mode must be passed back to the API.',
        { messages: [{}, {}, { reasoning_content: '' }, {}, {}] },
      ],
      [
        'Kimi, which does so too',
        'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
        { messages: [{}, {}, { reasoning_content: '' }, {}, {}] },
      ],
      [
        'Gemini, which wants a signature of calls of others',
        'Function call is missing a thought_signature in functionCall parts.',
        { messages: [{}, {}, { tool_calls: [{ extra_content: stand }] }, {}, {}] },
      ],
      [
        'Kimi, with a JSON Schema of its own',
        "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.a': when using anyOf, type should be defined in anyOf items instead of the parent schema>",
        {
          tools: [
            {
              function: {
                parameters: {
                  properties: { a: { anyOf: [{ type: 'string', format: 'date' }] } },
                },
              },
            },
          ],
        },
      ],
      [
        'one in llama.cpp, which makes a grammar of schemas',
        "JSON schema conversion failed:\nPattern must start with '^' and end with '$'",
        {
          tools: [
            { function: { parameters: { properties: { b: { description: 'matches \\S' } } } } },
          ],
        },
      ],
      [
        'Qwen, which takes one system message',
        'System message must be at the beginning.',
        { messages: [{ role: 'system', content: 'A\n\nB' }, {}, {}, {}] },
      ],
      [
        'MiniMax, likewise',
        'invalid params, chat content has invalid message role: system (2013)',
        { messages: [{ role: 'system', content: 'A\n\nB' }, {}, {}, {}] },
      ],
    ])('%s: asks again as it wants, from then on', async (_, message, expected) => {
      const gateway = model();
      const refusal = { message: 'Provider returned error', code: 400, metadata: { raw: message } };
      server.on({ status: 400, chunks: [JSON.stringify({ error: refusal })] });
      server.always(() => ({ chunks: [text('Hi'), finish('stop'), DONE] }));
      const request = {
        system: 'A',
        messages: [textMessage('user', 'Hi'), called, result, system],
        tools: [union],
      };
      for (const call of [1, 2]) {
        const { events, error } = await collect(gateway, request);
        expect([call, textIn(events), error]).toEqual([call, 'Hi', undefined]);
      }
      const [first, ...later] = server.requests.map(({ body }) => body);
      expect(first).not.toMatchObject(expected);
      expect(later).toMatchObject([expected, expected]);
    });

    it('in an error within its answer, as LM Studio has it', async () => {
      const gateway = openai({ model: 'm', apiKey: 'k', baseURL: server.url });
      const error = {
        message: 'Failed to initialize samplers: failed to parse grammar',
        code: 400,
      };
      server.on({ chunks: [`event: error\n${frame({ error })}`] });
      server.on({ chunks: [text('{}'), finish('stop'), DONE] });
      const responseFormat = {
        type: 'json_schema',
        name: 'x',
        schema: union.input_schema,
      } as const;
      const { events } = await collect(gateway, { tools: [union], responseFormat });
      expect(textIn(events)).toBe('{}');
      const patterns = server.requests.map(({ body }) => JSON.stringify(body).split('"pattern"'));
      expect(patterns.map(({ length }) => length - 1)).toEqual([2, 0]);
    });

    it('that it forces no tool by its name, as LM Studio: forces any, from then on', async () => {
      const local = model();
      const error =
        "Invalid tool_choice type: 'object'. Supported string values: none, auto, required";
      server.on({ status: 400, chunks: [JSON.stringify({ error })] });
      server.always(() => ({ chunks: [text('Hi'), finish('stop'), DONE] }));
      const request = { tools: [ADD], toolChoice: { name: 'add' } };
      for (const call of [1, 2]) {
        expect([call, textIn((await collect(local, request)).events)]).toEqual([call, 'Hi']);
      }
      const choices = server.requests.map(({ body }) => body['tool_choice']);
      expect(choices).toEqual([expect.anything(), 'required', 'required']);
    });

    it('that it counts tokens without being asked: asks no more for them', async () => {
      const gateway = model();
      const message = 'Bad request: json: unknown field "stream_options"';
      const body = JSON.stringify({ error_code: 'BAD_REQUEST', message });
      server.on({ status: 400, chunks: [body] });
      server.always(() => ({ chunks: [text('Hi'), finish('stop'), DONE] }));
      for (const call of [1, 2]) {
        expect([call, textIn((await collect(gateway)).events)]).toEqual([call, 'Hi']);
      }
      const asked = server.requests.map(({ body: sent }) => 'stream_options' in sent);
      expect(asked).toEqual([true, false, false]);
    });

    it.each([
      'After the optional system message, conversation roles must alternate user/assistant/user/…',
      'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).',
    ])('that its roles alternate: joins questions without an answer: %s', async (message) => {
      const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
      const messages: Message[] = [
        textMessage('user', 'Hi'),
        textMessage('user', 'Are you there?'),
        textMessage('assistant', 'Yes'),
        textMessage('user', 'Look'),
        { role: 'user', content: [picture] },
      ];
      server.on({ status: 400, chunks: [JSON.stringify({ error: { message } })] });
      server.on({ chunks: [text('Well'), finish('stop'), DONE] });
      expect(textIn((await collect(model(), { messages })).events)).toBe('Well');
      expect(server.requests[1]?.body['messages']).toMatchObject([
        { role: 'user', content: 'Hi\n\nAre you there?' },
        { role: 'assistant', content: 'Yes' },
        { role: 'user', content: [{ type: 'text', text: 'Look' }, { type: 'image_url' }] },
      ]);
    });

    it.each<readonly [string, readonly string[], boolean]>([
      [
        "Unexpected role 'user' after role 'tool'",
        ['user', 'assistant', 'tool', 'assistant', 'user'],
        false,
      ],
      [
        'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
        ['user', 'assistant', 'tool', 'user'],
        true,
      ],
      [
        'Tool call IDs should be alphanumeric strings with length 9!',
        ['user', 'assistant', 'tool', 'user'],
        true,
      ],
    ])('that it is one of Mistral, behind a gateway: %s', async (message, roles, isShort) => {
      const gateway = model();
      const raw = JSON.stringify({ object: 'error', message });
      const error = { message: 'Provider returned error', code: 400, metadata: { raw } };
      server.on({ status: 400, chunks: [JSON.stringify({ error })] });
      server.always(() => ({ chunks: [text('Well'), finish('stop'), DONE] }));
      const messages = [textMessage('user', 'Hi'), called, result, textMessage('user', 'Stop')];
      for (const call of [1, 2]) {
        expect([call, textIn((await collect(gateway, { messages })).events)]).toEqual([
          call,
          'Well',
        ]);
      }
      for (const { body } of server.requests.slice(1)) {
        const sent = body['messages'] as { role: string; tool_call_id?: string }[];
        expect(sent.map(({ role }) => role)).toEqual(roles);
        expect(/^[a-zA-Z0-9]{9}$/.test(sent[2]?.tool_call_id ?? '')).toBe(isShort);
      }
    });

    it('that a message has one call: sends each with its result, from then on', async () => {
      const calls = ['a', 'b'].map((id): ContentBlock => ({
        type: 'tool_use',
        id,
        name: 'add',
        input: {},
      }));
      const results = ['a', 'b'].map((id): ContentBlock => ({
        type: 'tool_result',
        tool_use_id: id,
        content: id,
        is_error: false,
      }));
      const messages: Message[] = [
        textMessage('user', 'Hi'),
        { role: 'assistant', content: [{ type: 'text', text: 'Twice.' }, ...calls] },
        { role: 'user', content: results },
      ];
      const error = { message: 'This model only supports single tool-calls at once!' };
      server.on({ status: 400, chunks: [JSON.stringify({ error })] });
      server.always(() => ({ chunks: [text('Well'), finish('stop'), DONE] }));
      const gateway = model();
      for (const call of [1, 2]) {
        expect([call, textIn((await collect(gateway, { messages })).events)]).toEqual([
          call,
          'Well',
        ]);
      }
      for (const { body } of server.requests.slice(1)) {
        expect(body['messages']).toMatchObject([
          { role: 'user' },
          { role: 'assistant', content: 'Twice.', tool_calls: [{ id: 'a' }] },
          { role: 'tool', tool_call_id: 'a' },
          { role: 'assistant', content: null, tool_calls: [{ id: 'b' }] },
          { role: 'tool', tool_call_id: 'b' },
        ]);
      }
      expect(server.requests).toHaveLength(3);
    });

    it.each([
      'System role not supported',
      'Developer instruction is not enabled for models/gemma-3-27b-it',
    ])('that it has no system message: its user says it: %s', async (message) => {
      const messages = [textMessage('system', 'Be kind.'), textMessage('user', 'Hi')];
      server.on({ status: 400, chunks: [JSON.stringify({ error: { message } })] });
      server.on({ chunks: [text('Well'), finish('stop'), DONE] });
      const { events } = await collect(model(), { system: 'Be short.', messages });
      expect(textIn(events)).toBe('Well');
      expect(server.requests[1]?.body['messages']).toEqual([
        { role: 'user', content: 'Be short.\n\nBe kind.\n\nHi' },
      ]);
    });

    it('of an alternative that its roles have nothing to do with: asks no more', async () => {
      const error = { message: "messages may not be of 'developer'; an alternative is 'system'" };
      server.always(() => ({ status: 400, chunks: [JSON.stringify({ error })] }));
      expect((await collect(model())).error).toMatchObject({ code: 'model_bad_request' });
      expect(server.requests).toHaveLength(1);
    });

    it('what it goes on to refuse: asks no more, and keeps nothing for later', async () => {
      const gateway = model();
      const error = { message: 'invalid params, invalid chat setting (2013)' };
      server.always(() => ({ status: 400, chunks: [JSON.stringify({ error })] }));
      const messages = [textMessage('user', 'Hi'), system];
      for (const count of [2, 4]) {
        const { error: failure } = await collect(gateway, { system: 'A', messages });
        expect(failure).toMatchObject({ code: 'model_bad_request' });
        expect(server.requests).toHaveLength(count);
      }
      const sent = server.requests.map(({ body }) => (body['messages'] as object[]).length);
      expect(sent).toEqual([3, 2, 3, 2]);
    });

    it('that would change nothing in the request: does not repeat it', async () => {
      const error = { message: 'invalid params, invalid chat setting (2013)' };
      server.always(() => ({ status: 400, chunks: [JSON.stringify({ error })] }));
      const { error: failure } = await collect(model(), { system: 'A' });
      expect(failure).toMatchObject({ code: 'model_bad_request' });
      expect(server.requests).toHaveLength(1);
    });
  });

  it('that it wants another field for the length: asks again with it, from then on', async () => {
    const gateway = model();
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    server.on({ status: 400, chunks: [JSON.stringify({ error: { message } })] });
    server.always(() => ({ chunks: [text('Hi'), finish('stop'), DONE] }));
    expect(textIn((await collect(gateway, { maxTokens: 9 })).events)).toBe('Hi');
    expect(textIn((await collect(gateway, { maxTokens: 9 })).events)).toBe('Hi');
    const sent = server.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens]);
    expect(sent).toEqual([
      [9, undefined],
      [undefined, 9],
      [undefined, 9],
    ]);
  });

  it('the same of two requests at once', async () => {
    const gateway = model();
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    const refusal = { status: 400, chunks: [JSON.stringify({ error: { message } })] };
    const answer = { chunks: [text('Hi'), finish('stop'), DONE] };
    server.always(({ max_tokens }) => (max_tokens === undefined ? answer : refusal));
    const both = [1, 2].map(() => collect(gateway, { maxTokens: 9 }));
    for (const { events } of await Promise.all(both)) expect(textIn(events)).toBe('Hi');
    expect(server.requests.filter(({ body }) => body.max_tokens === 9)).toHaveLength(2);
  });

  it.each([
    "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    '[{"type":"extra_forbidden","loc":["messages",1,"reasoning_content"],"msg":"Extra inputs"}]',
  ])('that its own thoughts are not taken back: asks again without them: %s', async (message) => {
    const gateway = model();
    server.on({ chunks: [delta({ reasoning_content: 'hm' }), text('So.'), finish('stop'), DONE] });
    const content = await saidContent(gateway);
    const messages: Message[] = [
      textMessage('user', 'Hi'),
      { role: 'assistant', content },
      textMessage('user', 'And?'),
    ];
    server.on(
      { status: 400, chunks: [JSON.stringify({ error: { message } })] },
      { chunks: [text('Well.'), finish('stop'), DONE] },
    );
    expect(textIn((await collect(gateway, { messages })).events)).toBe('Well.');
    const thoughts = server.requests.map(({ body }) => JSON.stringify(body).includes('"hm"'));
    expect(thoughts).toEqual([false, true, false]);
  });
});
