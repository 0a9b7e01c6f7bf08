import {
  openai,
  type ChatModel,
  type Message,
  type ModelEvent,
  type ModelRequest,
  type ToolDefinition,
} from 'nestjs-agent';
import type { JsonObject } from 'nestjs-agent/types';
import { azureOpenAi } from 'nestjs-agent/models';
import {
  collect,
  DONE,
  finish,
  ModelServer,
  serverForEachTest,
  text,
  textIn,
} from './support/models';

const ADD: ToolDefinition = {
  name: 'add',
  description: 'Add two numbers',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
  },
};

function event(type: string, value: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;
}
const added = (output_index: number, item: object) =>
  event('response.output_item.added', { output_index, item });
const done = (output_index: number, item: object) =>
  event('response.output_item.done', { output_index, item });
const said = (delta: string, output_index = 0) =>
  event('response.output_text.delta', { output_index, delta });
const completed = (response: object = {}) =>
  event('response.completed', { response: { status: 'completed', output: [], ...response } });

const callsIn = (events: readonly ModelEvent[]) =>
  events.flatMap((one) => (one.type === 'tool_use' ? [[one.id, one.input]] : []));

describe('openai() speaks the Responses API', () => {
  const server = serverForEachTest();
  const model = (options: Parameters<typeof openai>[0] = {}) =>
    openai({
      model: 'gpt-5.4',
      apiKey: 'k',
      baseURL: server.url,
      api: 'responses',
      retry: { maxAttempts: 1 },
      ...options,
    });

  async function sent(
    request: Partial<ModelRequest>,
    options: Parameters<typeof openai>[0] = {},
  ): Promise<JsonObject> {
    server.on({ chunks: [said('x'), completed()] });
    const { error } = await collect(model(options), request);
    expect(error).toBeUndefined();
    return server.requests.at(-1)?.body ?? {};
  }

  async function answer(...chunks: readonly string[]): Promise<readonly ModelEvent[]> {
    server.on({ chunks });
    const { events, error } = await collect(model(), { tools: [ADD] });
    expect(error).toBeUndefined();
    return events;
  }

  describe('where it is spoken', () => {
    const urlOf = async (make: (fetching: typeof fetch) => ChatModel): Promise<string> => {
      let asked = '';
      const fetching = (async (url: string) => {
        asked = url;
        return new Response('{}', { status: 400 });
      }) as typeof fetch;
      await collect(make(fetching));
      return asked;
    };
    const at = (baseURL?: string) => (fetching: typeof fetch) =>
      openai({ model: 'm', apiKey: 'k', fetch: fetching, ...(baseURL && { baseURL }) });

    it.each([
      ['https://api.openai.com/v1', 'responses'],
      ['https://eu.api.openai.com/v1', 'responses'],
      ['https://us.api.openai.com/v1', 'responses'],
      ['https://mine.openai.azure.com/openai/v1', 'responses'],
      ['https://mine.services.ai.azure.com/openai/v1/', 'responses'],
      ['https://mine.openai.azure.com/openai/deployments/x', 'chat/completions'],
      ['https://api.openai.com.example.com/v1', 'chat/completions'],
      ['http://127.0.0.1:8000/v1', 'chat/completions'],
    ])('%s: %s', async (baseURL, path) => {
      expect(await urlOf(at(baseURL))).toBe(`${baseURL.replace(/\/$/, '')}/${path}`);
    });

    it('without an address, with a preset, and where the option says otherwise', async () => {
      expect(await urlOf(at())).toBe('https://api.openai.com/v1/responses');
      const azure = { resource: 'r', model: 'm', apiKey: 'k' };
      expect(await urlOf((fetching) => azureOpenAi({ ...azure, fetch: fetching }))).toBe(
        'https://r.openai.azure.com/openai/v1/responses',
      );
      const chat = (fetching: typeof fetch) =>
        openai({ model: 'm', apiKey: 'k', api: 'chat', fetch: fetching });
      expect(await urlOf(chat)).toBe('https://api.openai.com/v1/chat/completions');
    });
  });

  describe('requests', () => {
    it('are stateless and ask for encrypted thoughts', async () => {
      expect(await sent({ system: 'Be kind.' })).toEqual({
        model: 'gpt-5.4',
        stream: true,
        store: false,
        include: ['reasoning.encrypted_content'],
        instructions: 'Be kind.',
        input: [],
      });
    });

    it('ask no model for thoughts that it does not have', async () => {
      expect(await sent({}, { model: 'gpt-4.1-mini' })).not.toHaveProperty('include');
      const message = 'Encrypted content is not supported with this model.';
      const refused = { status: 400, chunks: [JSON.stringify({ error: { message } })] };
      const deployed = model({ model: 'my-deployment' });
      server.on(
        refused,
        { chunks: [said('x'), completed()] },
        { chunks: [said('y'), completed()] },
      );
      expect(textIn((await collect(deployed)).events)).toBe('x');
      expect(textIn((await collect(deployed)).events)).toBe('y');
      expect(server.requests.map(({ body }) => 'include' in body).slice(1)).toEqual([
        true,
        false,
        false,
      ]);
    });

    const refusing = (message: string) => ({
      status: 400,
      chunks: [JSON.stringify({ error: { message, type: 'invalid_request_error' } })],
    });

    it('leave out what the model does not take, from its first refusal on', async () => {
      const thinking = model();
      const settings = { temperature: 0.7, topP: 0.5 };
      server.on(
        refusing("Unsupported parameter: 'temperature' is not supported with this model."),
        refusing("Unsupported parameter: 'top_p' is not supported with this model."),
      );
      server.always(() => ({ chunks: [said('x'), completed()] }));
      expect(textIn((await collect(thinking, settings)).events)).toBe('x');
      await collect(thinking, settings);
      await collect(thinking, { ...settings, reasoningEffort: 'none' });
      expect(
        server.requests.map(({ body: { temperature, top_p } }) => [temperature, top_p]),
      ).toEqual([
        [0.7, 0.5],
        [undefined, 0.5],
        [undefined, undefined],
        [undefined, undefined],
        // Some models take them where they do not think.
        [0.7, 0.5],
      ]);
    });

    it.each([
      ['a wrong value', "Invalid 'temperature': expected a value <= 2, but got 3 instead."],
      ['what was not sent', "Unsupported parameter: 'top_p' is not supported with this model."],
    ])('are not made again for %s', async (_, message) => {
      server.on(refusing(message));
      const { error } = await collect(model(), { temperature: 3 });
      expect(error).toMatchObject({ code: 'model_bad_request' });
      expect(server.requests).toHaveLength(1);
    });

    it('go on with a setting that an error named without being about it', async () => {
      const cautious = model();
      server.on(
        refusing('This tool is not supported. (temperature 0.7)'),
        refusing('This tool is not supported.'),
      );
      server.always(() => ({ chunks: [said('x'), completed()] }));
      const request = { temperature: 0.7 };
      expect((await collect(cautious, request)).error).toBeDefined();
      await collect(cautious, request);
      expect(server.requests.map(({ body }) => body.temperature)).toEqual([0.7, undefined, 0.7]);
    });

    it("tell of tools strictly where their schema can be, and of the provider's own", async () => {
      const open = { ...ADD, name: 'open', input_schema: { type: 'object' } } as const;
      const { tools } = await sent(
        { tools: [ADD, open] },
        { providerTools: [{ type: 'web_search' }] },
      );
      expect(tools).toMatchObject([
        {
          type: 'function',
          name: 'add',
          strict: true,
          parameters: { required: ['a', 'b'], properties: { b: { type: ['number', 'null'] } } },
        },
        { type: 'function', name: 'open', strict: false },
        { type: 'web_search' },
      ]);
    });

    it('carry every setting that the API has', async () => {
      const options = {
        reasoning: { effort: 'high', summary: 'auto' },
        verbosity: 'high',
        serviceTier: 'flex',
        promptCacheKey: 'key',
        extraBody: { truncation: 'auto' },
      } as const;
      const request: Partial<ModelRequest> = {
        tools: [ADD],
        toolChoice: { name: 'add' },
        maxTokens: 10,
        temperature: 0.5,
        topP: 0.9,
        reasoningEffort: 'low',
        verbosity: 'low',
        responseFormat: { type: 'json_schema', name: 'sum', schema: ADD.input_schema },
        seed: 1,
        stop: ['x'],
      };
      const body = await sent(request, options);
      expect(body).toMatchObject({
        tool_choice: { type: 'function', name: 'add' },
        max_output_tokens: 10,
        temperature: 0.5,
        top_p: 0.9,
        reasoning: { effort: 'low', summary: 'auto' },
        text: { verbosity: 'low', format: { type: 'json_schema', name: 'sum', strict: true } },
        service_tier: 'flex',
        prompt_cache_key: 'key',
        truncation: 'auto',
      });
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['seed']));
      expect(body).not.toHaveProperty('stop');
    });

    it('have the same settings with Chat Completions', async () => {
      server.on({ chunks: [text('x'), finish('stop'), DONE] });
      const options = { reasoning: { effort: 'none' }, serviceTier: 'flex', api: 'chat' } as const;
      await collect(model(options));
      expect(server.requests[0]?.body).toMatchObject({
        reasoning_effort: 'none',
        service_tier: 'flex',
      });
    });

    it('hold pictures and files, from the user and in results', async () => {
      const png = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
      const pdf = {
        type: 'file',
        name: 'a.pdf',
        mediaType: 'application/pdf',
        data: 'BBBB',
      } as const;
      const messages: Message[] = [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, png, pdf] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c', content: [png], is_error: false },
            { type: 'text', text: 'And?' },
          ],
        },
      ];
      const image = {
        type: 'input_image',
        detail: 'auto',
        image_url: 'data:image/png;base64,AAAA',
      };
      const file = {
        type: 'input_file',
        filename: 'a.pdf',
        file_data: 'data:application/pdf;base64,BBBB',
      };
      expect((await sent({ messages })).input).toEqual([
        { role: 'user', content: [{ type: 'input_text', text: 'Look' }, image, file] },
        { type: 'function_call', call_id: 'c', name: 'add', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [image] },
        { role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
      ]);
    });

    it('say which call failed', async () => {
      const messages: Message[] = [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'add', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: 'No.', is_error: true }],
        },
      ];
      expect((await sent({ messages })).input).toContainEqual({
        type: 'function_call_output',
        call_id: 'c',
        output: 'Error: No.',
      });
    });
  });

  describe('answers', () => {
    it('a summary, text, sources and usage', async () => {
      const events = await answer(
        event('response.reasoning_summary_text.delta', { output_index: 0, delta: 'One' }),
        event('response.reasoning_summary_text.delta', {
          output_index: 0,
          summary_index: 1,
          delta: 'Two',
        }),
        done(0, { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAA' }),
        said('Hel', 1),
        said('lo', 1),
        event('response.output_text.annotation.added', {
          output_index: 1,
          annotation: { type: 'url_citation', url: 'https://a.example', title: 'A' },
        }),
        completed({
          usage: {
            input_tokens: 10,
            output_tokens: 5,
            total_tokens: 15,
            input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
            output_tokens_details: { reasoning_tokens: 3 },
          },
        }),
      );
      expect(events).toMatchObject([
        { type: 'reasoning.delta', delta: 'One' },
        { type: 'reasoning.delta', delta: '\n\nTwo' },
        { type: 'reasoning.end' },
        { type: 'text.delta', delta: 'Hel' },
        { type: 'text.delta', delta: 'lo' },
        { type: 'source', url: 'https://a.example', title: 'A' },
        {
          type: 'finish',
          reason: 'end_turn',
          usage: { cachedInputTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3 },
        },
      ]);
    });

    it('a response that was not streamed', async () => {
      const output = [
        { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
        { type: 'function_call', call_id: 'c', name: 'add', arguments: '{"a":1,"b":null}' },
      ];
      const events = await answer(
        JSON.stringify({ object: 'response', status: 'completed', output }),
      );
      expect(textIn(events)).toBe('Hello');
      expect(events.slice(-2)).toEqual([
        { type: 'tool_use', id: 'c', name: 'add', input: { a: 1 } },
        { type: 'finish', reason: 'tool_use' },
      ]);
    });

    const callOf = (call_id: string, args = '{}') => {
      return { type: 'function_call', id: `fc_${call_id}`, call_id, name: 'add', arguments: args };
    };
    it.each<[string, number, readonly object[]]>([
      ['with one index for all', 0, [callOf('a'), callOf('b')]],
      ['with other ids at the end', 1, [callOf('y'), callOf('z')]],
      [
        'with other ids and places at the end',
        1,
        [{ type: 'reasoning', id: 'rs', summary: [] }, callOf('y'), callOf('z')],
      ],
    ])('each call once, %s', async (_, second, output) => {
      const streamed = (index: number, id: string) =>
        added(index, callOf(id, '')) +
        event('response.function_call_arguments.delta', { output_index: index, delta: '{}' }) +
        done(index, callOf(id));
      const events = await answer(streamed(0, 'a'), streamed(second, 'b'), completed({ output }));
      const ids = events.flatMap((one) => (one.type === 'tool_use' ? [one.id] : []));
      expect(ids).toEqual(['a', 'b']);
    });

    it.each<[string, string[]]>([
      [
        'text whose pieces name no item',
        [
          event('response.output_text.delta', { delta: 'Hel' }),
          event('response.output_text.delta', { delta: 'lo' }),
        ],
      ],
      [
        'text that comes whole',
        [event('response.output_text.done', { item_id: 'm', output_index: 0, text: 'Hello' })],
      ],
    ])('%s, once', async (_, pieces) => {
      const content = [{ type: 'output_text', text: 'Hello', annotations: [] }];
      const message = { type: 'message', id: 'm', role: 'assistant', content };
      for (const output of [[message], []]) {
        expect(textIn(await answer(...pieces, completed({ output })))).toBe('Hello');
      }
    });

    it('items without an index and an id, each once', async () => {
      const search = { type: 'web_search_call', action: { query: 'x' } };
      const calls = ['a', 'b'].map((call_id) => ({
        type: 'function_call',
        call_id,
        name: 'add',
        arguments: '{"a":1}',
      }));
      const output = [search, ...calls];
      const events = await answer(
        ...output.flatMap((item) => [
          event('response.output_item.added', { item: { ...item, arguments: '' } }),
          event('response.output_item.done', { item }),
        ]),
        completed({ output }),
      );
      const told = events.filter(({ type }) => ['provider_tool', 'tool_use'].includes(type));
      expect(told.map((one) => ('id' in one ? one.id : ''))).toEqual(['', 'a', 'b']);
    });

    it.each([
      ['its beginning', true],
      ['its end alone', false],
    ])('arguments of a call that come before %s, once', async (_, begins) => {
      const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'add', arguments: '' };
      const whole = { ...call, arguments: '{"a":1}' };
      const at = { item_id: 'f', output_index: 0 };
      const events = await answer(
        event('response.function_call_arguments.delta', { ...at, delta: '{"a":' }),
        event('response.function_call_arguments.delta', { ...at, delta: '1}' }),
        ...(begins ? [added(0, call)] : []),
        done(0, whole),
        completed({ output: [whole] }),
      );
      expect(events.filter(({ type }) => type === 'tool_use')).toMatchObject([
        { id: 'c', name: 'add', input: { a: 1 } },
      ]);
    });

    it('arguments that come before their items while another call ends', async () => {
      const calls = ['a', 'b'].map((name, index) => ({
        type: 'function_call',
        id: `f${index}`,
        call_id: `c${index}`,
        name,
        arguments: JSON.stringify({ [name]: index }),
      }));
      const events = await answer(
        ...calls.map(({ id, arguments: delta }, index) => {
          const at = { item_id: id, output_index: index };
          return event('response.function_call_arguments.delta', { ...at, delta });
        }),
        ...calls.map((call, index) => done(index, call)),
        completed({ output: calls }),
      );
      expect(events.filter(({ type }) => type === 'tool_use')).toMatchObject([
        { id: 'c0', name: 'a', input: { a: 0 } },
        { id: 'c1', name: 'b', input: { b: 1 } },
      ]);
    });

    it('arguments of a call that come whole, without the item at its end', async () => {
      const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'add', arguments: '' };
      const at = { item_id: 'f', output_index: 0 };
      const events = await answer(
        added(0, call),
        event('response.function_call_arguments.done', { ...at, arguments: '{"a":1}' }),
        completed(),
      );
      expect(events.filter(({ type }) => type === 'tool_use')).toMatchObject([
        { id: 'c', name: 'add', input: { a: 1 } },
      ]);
    });

    it.each<[string, string, object]>([
      ['no whole arguments', 'response.function_call_arguments.done', {}],
      [
        'arguments that are not written',
        'response.function_call_arguments.done',
        { arguments: { a: 1 } },
      ],
      ['an empty piece', 'response.function_call_arguments.delta', { delta: '' }],
    ])("a call's arguments from its item, after %s", async (_, type, value) => {
      const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'add' };
      const events = await answer(
        added(0, { ...call, arguments: '' }),
        event(type, { item_id: 'f', output_index: 0, ...value }),
        done(0, { ...call, arguments: '{"a":1}' }),
        completed(),
      );
      expect(callsIn(events)).toEqual([['c', { a: 1 }]]);
    });

    const part = (content_index: number | undefined, words: string) => ({ content_index, words });
    it.each([
      ['a part at a time', [part(0, 'A'), part(1, 'B')], 'done', 'AB'],
      ['the first part alone', [part(0, 'A')], 'done', 'AB'],
      ['the first part in pieces', [part(0, 'A')], 'delta', 'AB'],
      ['parts in pieces', [part(0, 'A'), part(1, 'B')], 'delta', 'AB'],
      // vLLM counts on from item to item.
      ['parts that are numbered otherwise', [part(1, 'A'), part(2, 'B')], 'delta', 'AB'],
      ['parts with one number', [part(0, 'A'), part(0, 'B')], 'delta', 'AB'],
      ['parts without a number', [part(undefined, 'A'), part(undefined, 'B')], 'delta', 'AB'],
      ['other words than at the end', [part(0, 'A ')], 'delta', 'A '],
    ])('all parts of a message, once: %s', async (_, parts, ending, expected) => {
      const content = ['A', 'B'].map((words) => ({ type: 'output_text', text: words }));
      const message = { type: 'message', id: 'm', role: 'assistant', content };
      const events = await answer(
        ...parts.map(({ content_index, words }) =>
          event(`response.output_text.${ending}`, {
            item_id: 'm',
            output_index: 0,
            content_index,
            ...(ending === 'done' ? { text: words } : { delta: words }),
          }),
        ),
        done(0, message),
        completed({ output: [message] }),
      );
      expect(textIn(events)).toBe(expected);
    });

    it('the end of a text that no piece had', async () => {
      const content = ['Well. ', 'All of it.', ' More.'].map((words) => ({
        type: 'output_text',
        text: words,
      }));
      const events = await answer(
        said('Well. All'),
        done(0, { type: 'message', id: 'm', content }),
        completed(),
      );
      expect(textIn(events)).toBe('Well. All of it. More.');
    });

    it('a refusal behind a text', async () => {
      const content = [
        { type: 'output_text', text: 'Well. ' },
        { type: 'refusal', refusal: 'No.' },
      ];
      const events = await answer(
        said('Well. '),
        done(0, { type: 'message', id: 'm', content }),
        completed(),
      );
      // The piece has no number, so that nothing says which part it was.
      expect(textIn(events)).toBe('Well. No.');
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'refusal' });
    });

    const CALLS = [1, 2].map((a) => ({
      type: 'function_call',
      call_id: `c${a}`,
      name: 'add',
      arguments: JSON.stringify({ a }),
    }));
    const BOTH = [
      ['c1', { a: 1 }],
      ['c2', { a: 2 }],
    ];
    const begins = (item: object) =>
      event('response.output_item.added', { item: { ...item, arguments: '' } });
    const ends = (item: object) => event('response.output_item.done', { item });

    it('calls with nothing but their own id, also where they interleave', async () => {
      const output = CALLS;
      const events = await answer(
        ...output.map(begins),
        ...output.map(ends),
        completed({ output }),
      );
      expect(callsIn(events)).toEqual(BOTH);
    });

    it('calls that have an id only where they begin, or only where they end', async () => {
      const named = CALLS.map((call) => ({ ...call, id: `f_${call.call_id}` }));
      for (const [first, last] of [
        [named, CALLS],
        [CALLS, named],
      ] as const) {
        const events = await answer(
          ...first.map(begins),
          ...last.map(ends),
          completed({ output: last }),
        );
        expect(callsIn(events)).toEqual(BOTH);
      }
    });

    it('calls with one id for all, with and without an index', async () => {
      const output = CALLS.map((call) => ({ ...call, id: 'f' }));
      const unnumbered = output.flatMap((call) => [begins(call), ends(call)]);
      const numbered = output.flatMap((call, index) => [
        added(index, { ...call, arguments: '' }),
        done(index, call),
      ]);
      const interleaved = [
        ...output.map((call, index) => added(index, { ...call, arguments: '' })),
        ...output.map((call, index) => done(index, call)),
      ];
      for (const events of [unnumbered, numbered, interleaved, []]) {
        expect(callsIn(await answer(...events, completed({ output })))).toEqual(BOTH);
      }
    });

    it('calls whose index and id are null, each once', async () => {
      const nothing = { output_index: null, item_id: null };
      const output = CALLS.map((call) => ({ ...call, id: null }));
      const events = await answer(
        ...output.flatMap((item) => [
          event('response.output_item.added', { ...nothing, item: { ...item, arguments: '' } }),
          event('response.function_call_arguments.delta', { ...nothing, delta: item.arguments }),
          event('response.output_item.done', { ...nothing, item }),
        ]),
        completed({ output }),
      );
      expect(callsIn(events)).toEqual(BOTH);
    });

    it('text without an id beside a call', async () => {
      const call = { ...CALLS[0], id: 'f' };
      const events = await answer(
        begins(call),
        event('response.output_text.delta', { delta: 'Hello' }),
        ends(call),
        completed(),
      );
      expect(textIn(events)).toBe('Hello');
      expect(callsIn(events)).toEqual([['c1', { a: 1 }]]);
    });

    const THOUGHT = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] };
    const MESSAGE = { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] };
    const thinks = event('response.reasoning_summary_text.delta', { delta: 'hm' });
    const says = ['Hel', 'lo'].map((delta) => event('response.output_text.delta', { delta }));
    const whole = event('response.output_text.done', {
      item_id: 'm',
      output_index: 1,
      text: 'Hello',
    });
    it.each<[string, string[]]>([
      ['without ends', [thinks, ...says]],
      ['with ends', [thinks, ends(THOUGHT), ...says, ends(MESSAGE)]],
      ['with ends alone', [ends(THOUGHT), ends(MESSAGE)]],
      ['with the whole text', [thinks, ...says, whole]],
      [
        'with ends that have ids',
        [thinks, done(0, { ...THOUGHT, id: 'rs' }), ...says, whole, done(1, MESSAGE)],
      ],
    ])('thoughts and text in pieces without ids, once, %s', async (_, pieces) => {
      const events = await answer(...pieces, completed({ output: [THOUGHT, MESSAGE] }));
      const thoughts = events.flatMap((one) => (one.type === 'reasoning.delta' ? [one.delta] : []));
      expect(thoughts.join('')).toBe('hm');
      expect(textIn(events)).toBe('Hello');
    });

    it('a refusal', async () => {
      const refused = event('response.refusal.delta', { output_index: 0, delta: 'No.' });
      const events = await answer(refused, completed());
      expect(textIn(events)).toBe('No.');
      expect(events.at(-1)).toEqual({ type: 'finish', reason: 'refusal' });
    });

    it.each([
      ['max_output_tokens', 'max_tokens'],
      ['content_filter', 'refusal'],
    ])('one that stops for %s', async (reason, expected) => {
      const response = { status: 'incomplete', incomplete_details: { reason }, output: [] };
      const events = await answer(said('x'), event('response.incomplete', { response }));
      expect(events.at(-1)).toEqual({ type: 'finish', reason: expected });
    });

    it("the provider's own tools, which are shown and never run", async () => {
      const search = {
        type: 'web_search_call',
        id: 'ws',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      };
      const events = await answer(added(0, search), done(0, search), said('x', 1), completed());
      expect(events[0]).toMatchObject({
        type: 'provider_tool',
        id: 'ws',
        name: 'web_search',
        input: { query: 'x' },
      });
      expect(events.at(-1)).toMatchObject({ reason: 'end_turn' });
    });

    it("the provider's own tools whose end nothing reports, without a result", async () => {
      const mail = { type: 'mcp_call', id: 'mcp_1', name: 'send_mail', status: 'in_progress' };
      const [text, ...rest] = await answer(added(0, mail), said('Sent.', 1), completed());
      expect(text).toEqual({ type: 'text.delta', delta: 'Sent.' });
      expect(rest).toEqual([
        { type: 'provider_tool', id: 'mcp_1', name: 'send_mail' },
        { type: 'finish', reason: 'end_turn' },
      ]);
    });

    it('one that broke off is an error, and keeps its text', async () => {
      server.on({ chunks: [said('part')] });
      const { events, error } = await collect(model());
      expect(textIn(events)).toBe('part');
      expect(error).toMatchObject({ code: 'model_unavailable' });
    });

    it.each([
      [{ code: 'rate_limit_exceeded', message: 'Rate limit reached' }, 'model_rate_limited', true],
      [{ code: 'insufficient_quota', message: 'You exceeded…' }, 'model_rate_limited', false],
      [{ code: 'server_error', message: 'Sorry' }, 'model_unavailable', true],
      [
        { code: 'context_length_exceeded', message: 'Your input exceeds the context window' },
        'context_too_long',
        false,
      ],
    ])('a failure: %j', async (error, code, isRetryable) => {
      const failed = { response: { status: 'failed', error } };
      server.on(
        { chunks: [event('response.failed', failed)] },
        { chunks: [event('error', error)] },
        { chunks: [event('error', { error })] },
      );
      for (const form of ['response.failed', 'error', 'error within']) {
        const collected = await collect(model());
        expect([form, collected.error]).toMatchObject([form, { code, isRetryable }]);
      }
    });

    it.each([
      ['invalid_prompt', 'Your prompt was flagged as …'],
      ['cyber_policy', 'This request has been flagged …'],
      ['bio_policy', 'Blocked'],
      ['misalignment_policy_violation', 'Blocked'],
    ])('a prompt that is refused in an error: %s', async (code, message) => {
      const error = { code, message };
      server.on(
        { status: 400, chunks: [JSON.stringify({ error })] },
        { chunks: [event('response.failed', { response: { status: 'failed', error } })] },
        { chunks: [event('error', error)] },
        { chunks: [event('error', { error })] },
      );
      for (const form of ['a status', 'response.failed', 'error', 'error within']) {
        const collected = await collect(model());
        expect([form, collected]).toMatchObject([form, { events: [{ reason: 'refusal' }] }]);
      }
    });
  });

  describe('what goes back', () => {
    const THOUGHT = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: 'gAA',
    };
    const SEARCH = { type: 'web_search_call', id: 'ws', status: 'completed', action: {} };
    const CALL = { type: 'function_call', id: 'fc', call_id: 'c', name: 'add', arguments: '{}' };
    const RESULT: Message = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c', content: '1', is_error: false }],
    };

    /** The answer's content, as the run keeps it. */
    function blocksOf(events: readonly ModelEvent[]): Message['content'] {
      return events.flatMap((each): Message['content'] => {
        if (each.type === 'text.delta') return [{ type: 'text', text: each.delta }];
        if (each.type === 'tool_use' || each.type === 'provider_tool') return [each];
        if (each.type !== 'reasoning.end') return [];
        return [{ type: 'reasoning', text: 'hm', providerData: each.providerData }];
      });
    }

    it('thoughts and own calls, unchanged, before the calls that they led to', async () => {
      const message = {
        type: 'message',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'So.' }],
      };
      const status = { status: 'completed' };
      const events = await answer(
        done(0, { ...THOUGHT, ...status }),
        done(1, SEARCH),
        done(2, { ...message, id: 'm' }),
        done(3, { ...THOUGHT, id: 'rs_2' }),
        done(4, CALL),
        completed(),
      );
      const assistant: Message = { role: 'assistant', content: blocksOf(events) };
      const { input } = await sent({ messages: [assistant, RESULT] });
      expect(input).toEqual([
        THOUGHT,
        SEARCH,
        {
          role: 'assistant',
          phase: 'commentary',
          content: [{ type: 'output_text', text: 'So.' }],
        },
        { ...THOUGHT, id: 'rs_2' },
        { type: 'function_call', call_id: 'c', name: 'add', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: '1' },
      ]);
    });

    it('to another provider the conversation, without what only the first can read', async () => {
      const events = await answer(done(0, THOUGHT), done(1, SEARCH), done(2, CALL), completed());
      const assistant: Message = { role: 'assistant', content: blocksOf(events) };
      const other = await ModelServer.start();
      other.on({ chunks: [said('x'), completed()] });
      await collect(model({ baseURL: other.url }), { messages: [assistant, RESULT] });
      await other.stop();
      expect(other.requests[0]?.body.input).toEqual([
        { type: 'function_call', call_id: 'c', name: 'add', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: '1' },
      ]);
    });

    it('no thoughts that led to nothing', async () => {
      const events = await answer(done(0, THOUGHT), completed());
      const assistant: Message = { role: 'assistant', content: blocksOf(events) };
      expect((await sent({ messages: [assistant] })).input).toEqual([]);
    });
  });
});
