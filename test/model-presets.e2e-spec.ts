import { openai, textMessage, type ChatModel, type Message } from 'nestjs-agent';
import {
  deepSeek,
  miniMax,
  mistral,
  moonshot,
  zhipu,
  cerebras,
  fireworks,
  google,
  groq,
  perplexity,
  together,
  xAi,
} from 'nestjs-agent/models';
import { collect, DONE, finish, frame, serverForEachTest, text, textIn } from './support/models';

const TOOL = {
  name: 'add',
  description: 'Add',
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: { type: 'number' }, when: { type: 'string', anyOf: [{ minLength: 9 }] } },
    required: ['a'],
    additionalProperties: false,
  },
};
const HISTORY: readonly Message[] = [
  textMessage('user', 'add'),
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1 } },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '1', is_error: false }],
  },
];

describe('what the services are sent', () => {
  const server = serverForEachTest();
  const asked = async (
    model: ReturnType<typeof openai>,
    toolChoice: 'required' | 'none',
    messages = HISTORY,
  ) => {
    server.on({ chunks: [text('x'), finish('stop'), DONE] });
    await collect(model, { messages, tools: [TOOL], toolChoice, maxTokens: 9 });
    return server.requests.at(-1);
  };

  it('the plain protocol', async () => {
    const request = await asked(
      openai({ model: 'm', baseURL: server.url, apiKey: 'k' }),
      'required',
    );
    expect(request?.headers.authorization).toBe('Bearer k');
    expect(request?.body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 9,
      tool_choice: 'required',
      tools: [
        {
          type: 'function',
          function: {
            name: 'add',
            description: 'Add',
            parameters: {
              type: 'object',
              properties: {
                a: { type: 'number' },
                when: { type: 'string', anyOf: [{ minLength: 9 }] },
              },
              required: ['a'],
              additionalProperties: false,
            },
          },
        },
      ],
      messages: [
        { role: 'user', content: 'add' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '1' },
      ],
    });
  });

  it("the quirks of each service, and never another service's key", async () => {
    const before = process.env['OPENAI_API_KEY'];
    process.env['OPENAI_API_KEY'] = 'sk-openai';
    try {
      const options = { model: 'm', baseURL: server.url, apiKey: 'own' };
      const glm = await asked(zhipu(options), 'none');
      expect(glm?.body['tools']).toBeUndefined();
      expect(glm?.body['stream_options']).toBeUndefined();
      const nine = await asked(mistral(options), 'required');
      expect(nine?.body['tool_choice']).toBe('any');
      expect(JSON.stringify(nine?.body)).toMatch(/"tool_call_id":"[a-zA-Z0-9]{9}"/);
      const thinking = await asked(deepSeek(options), 'required');
      expect(JSON.stringify(thinking?.body)).toContain('"reasoning_content":"hm"');
      const thoughtless = HISTORY.map(({ role, content }) => ({
        role,
        content: content.filter(({ type }) => type !== 'reasoning'),
      }));
      const bare = await asked(moonshot(options), 'required', thoughtless);
      expect(bare?.body['messages']).toMatchObject([{}, { reasoning_content: '' }, {}]);
      expect(bare?.body['tools']).toMatchObject([
        { function: { parameters: { properties: { when: { anyOf: [{ type: 'string' }] } } } } },
      ]);
      const twoSystems = [textMessage('system', 'Be brief.'), textMessage('system', 'Be kind.')];
      const tagged = await asked(miniMax(options), 'required', [...twoSystems, ...HISTORY]);
      expect(JSON.stringify(tagged?.body)).toContain('<think>hm</think>');
      expect(tagged?.body['messages']).toMatchObject([
        { role: 'system', content: 'Be brief.\n\nBe kind.' },
        { role: 'user' },
        {},
        {},
      ]);

      const keyless = await collect(deepSeek({ model: 'm', baseURL: server.url }));
      expect(keyless.error).toMatchObject({
        code: 'model_authentication',
        message: expect.stringContaining('DEEPSEEK_API_KEY'),
      });
      expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain(
        'sk-openai',
      );
    } finally {
      if (before === undefined) delete process.env['OPENAI_API_KEY'];
      else process.env['OPENAI_API_KEY'] = before;
    }
  });

  it.each([
    ['google', google, 'https://generativelanguage.googleapis.com/v1beta/openai', 'GEMINI_API_KEY'],
    ['groq', groq, 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
    ['xAi', xAi, 'https://api.x.ai/v1', 'XAI_API_KEY'],
    ['together', together, 'https://api.together.ai/v1', 'TOGETHER_API_KEY'],
    ['fireworks', fireworks, 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'],
    ['cerebras', cerebras, 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'],
    ['perplexity', perplexity, 'https://api.perplexity.ai', 'PERPLEXITY_API_KEY'],
  ])('%s is asked at its own address, with its own key', async (_name, make, url, variable) => {
    const before = process.env[variable];
    const asked: string[] = [];
    const ask: typeof fetch = (input) => {
      asked.push(input instanceof Request ? input.url : input.toString());
      return Promise.reject(new Error('no network here'));
    };
    delete process.env[variable];
    try {
      const model = make({ model: 'm', fetch: ask, retry: { maxAttempts: 1 } });
      const { error } = await collect(model);
      expect(error).toMatchObject({ message: expect.stringContaining(`Set ${variable} or`) });
      process.env[variable] = 'own';
      // The same model finds the key that was set since.
      await collect(model);
      expect(asked).toEqual([`${url}/chat/completions`]);
    } finally {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });

  it('binds answers and their length as each service can', async () => {
    const options = { model: 'm', baseURL: server.url, apiKey: 'own' };
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const formatted = async (model: ChatModel) => {
      server.on({ chunks: [text('{}'), finish('stop'), DONE] });
      const responseFormat = { type: 'json_schema', name: 'answer', schema } as const;
      await collect(model, { messages: [], tools: [], maxTokens: 9, responseFormat });
      return server.requests.at(-1)?.body;
    };
    expect(await formatted(groq(options))).toMatchObject({
      response_format: { type: 'json_object' },
      max_completion_tokens: 9,
    });
    expect(await formatted(together(options))).toMatchObject({
      response_format: { type: 'json_schema' },
      max_tokens: 9,
    });
    expect(await formatted(perplexity(options))).toMatchObject({ model: 'm' });
  });

  it('gives the marks of a Sonar answer their addresses', async () => {
    const model = perplexity({ model: 'sonar', baseURL: server.url, apiKey: 'own' });
    expect(model.capabilities.tools).toBe(false);
    const pages = [
      { url: 'https://nestjs.com', title: 'Nest' },
      { url: 'https://example.com/unused', title: 'Other' },
      { url: 'https://docs.nestjs.com/a>b', title: 'Docs' },
    ];
    const chunk = { search_results: pages, choices: [{ index: 0, delta: { content: ' [3]' } }] };
    server.on({ chunks: [text('It is a framework [1]'), frame(chunk), finish('stop'), DONE] });
    const { events } = await collect(model);
    expect(textIn(events)).toBe(
      'It is a framework [1] [3]\n\n[1]: <https://nestjs.com>\n[3]: <https://docs.nestjs.com/a%3Eb>',
    );
    expect(events.filter(({ type }) => type === 'source')).toHaveLength(3);
  });
});
