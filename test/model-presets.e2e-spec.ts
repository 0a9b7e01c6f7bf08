import { deepSeek, miniMax, mistral, openai, textMessage, zhipu, type Message } from 'nestjs-agent';
import { collect } from '../libs/agent/src/model/fixtures/collect';
import { DONE, finish, ModelServer, text } from '../libs/agent/src/model/fixtures/model.server';

const TOOL = {
  name: 'add',
  description: 'Add',
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: { type: 'number' } },
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
  let server: ModelServer;
  const asked = async (model: ReturnType<typeof openai>, toolChoice: 'required' | 'none') => {
    server.on({ chunks: [text('x'), finish('stop'), DONE] });
    await collect(model, { messages: HISTORY, tools: [TOOL], toolChoice, maxTokens: 9 });
    return server.requests.at(-1);
  };

  beforeEach(async () => {
    server = await ModelServer.start();
  });
  afterEach(() => server.stop());

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
              properties: { a: { type: 'number' } },
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
      const tagged = await asked(miniMax(options), 'required');
      expect(JSON.stringify(tagged?.body)).toContain('<think>hm</think>');

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
});
