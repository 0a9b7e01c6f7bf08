import { UseGuards } from '@nestjs/common';
import type { ModelRequest } from 'nestjs-agent';
import request from 'supertest';
import { Closers, LoginGuard, ON_EXPRESS } from './http/agent-app';
import { as } from './http/every-endpoint';

const messages = [{ role: 'user', content: 'What is on today?' }];
const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};
const answer = {
  name: 'answer',
  strict: true,
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
};

/** Options that clients commonly send, with the ones that reach the model. */
const CLIENTS: readonly [string, object, Partial<ModelRequest>][] = [
  [
    'LibreChat, with every slider of its side panel moved',
    {
      model: 'agent',
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
      stream: true,
      stream_options: { include_usage: true },
      user: '68906998cc83815dd7244885',
      temperature: 0.7,
      top_p: 0.9,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
      max_tokens: 500,
      stop: [],
      web_search_options: {},
      include_reasoning: true,
    },
    { temperature: 0.7, topP: 0.9, presencePenalty: 0.5, frequencyPenalty: -0.5 },
  ],
  [
    'LibreChat, for the title of a conversation',
    { model: 'agent', messages, stream: false, temperature: 0.2, n: 1, max_tokens: 16 },
    { temperature: 0.2 },
  ],
  [
    'Open WebUI, with advanced parameters',
    {
      model: 'agent',
      messages: [
        ...messages,
        { role: 'assistant', content: 'A meeting.' },
        { role: 'user', content: [{ type: 'text', text: 'When?' }] },
      ],
      stream: true,
      seed: 42,
      stop: ['\n\n'],
      temperature: 1,
      top_p: 0.9,
      reasoning_effort: 'low',
      logit_bias: { '50256': -100 },
      repeat_penalty: 1.1,
      top_k: 40,
      keep_alive: '5m',
      chat_id: 'c1',
      session_id: 's1',
    },
    { seed: 42, stop: ['\n\n'], temperature: 1, topP: 0.9, reasoningEffort: 'low' },
  ],
  [
    'Continue, in agent mode',
    {
      model: 'agent',
      messages,
      max_tokens: 4096,
      temperature: 0,
      top_p: null,
      frequency_penalty: null,
      presence_penalty: null,
      stream: true,
      stop: ['```'],
      tools: [weather],
      parallel_tool_calls: false,
      stream_options: { include_usage: true },
    },
    { temperature: 0, stop: ['```'] },
  ],
  [
    'Continue, with a predicted edit',
    {
      model: 'agent',
      messages,
      stream: true,
      prediction: { type: 'content', content: 'const a = 1;' },
    },
    {},
  ],
  [
    "LangChain's ChatOpenAI with defaults",
    {
      model: 'agent',
      messages,
      n: 1,
      temperature: 0.7,
      stream: false,
      logprobs: null,
      top_logprobs: null,
      user: null,
      store: true,
      metadata: { ls_provider: 'openai' },
      service_tier: 'auto',
    },
    { temperature: 0.7 },
  ],
  [
    "LangChain's withStructuredOutput",
    {
      model: 'agent',
      messages,
      stream: false,
      verbosity: 'low',
      reasoning_effort: 'minimal',
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: answer },
    },
    {
      verbosity: 'low',
      reasoningEffort: 'minimal',
      responseFormat: { type: 'json_schema', ...answer },
    },
  ],
  [
    "LangChain's JSON mode",
    { model: 'agent', messages, stream: true, response_format: { type: 'json_object' } },
    { responseFormat: { type: 'json_object' } },
  ],
];

describe.each(ON_EXPRESS)("the clients of OpenAI's protocol on %s", (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const SETTINGS = [
    'temperature',
    'topP',
    'presencePenalty',
    'frequencyPenalty',
    'seed',
    'stop',
    'reasoningEffort',
    'verbosity',
    'responseFormat',
  ] as const;

  it.each(CLIENTS)('%s is answered, and heard', async (_client, body, settings) => {
    const { url, model } = await apps.open({
      adapter,
      decorators: [UseGuards(LoginGuard)],
      steps: ['{"answer":"nothing"}'],
    });
    const response = await request(url)
      .post('/agent/v1/chat/completions')
      .set(as('alice'))
      .send(body);
    expect({ status: response.status, error: response.body.error as unknown }).toEqual({
      status: 200,
      error: undefined,
    });
    expect(response.text).toContain('nothing');
    const told = Object.entries(model.requests[0] ?? {}).filter(([name]) =>
      (SETTINGS as readonly string[]).includes(name),
    );
    expect(Object.fromEntries(told)).toEqual(settings);
  });

  it('get JSON and nothing else, whatever was said on the way, in each step', async () => {
    const said = (stream: boolean) => ({
      model: 'agent',
      messages,
      stream,
      response_format: { type: 'json_object' },
    });
    const steps = [
      { text: 'Let me add.', toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] },
      { text: ['{"sum"', ':3}'] },
    ];
    const { url, model } = await apps.open({ adapter, steps: [...steps, ...steps] });
    const complete = (stream: boolean) =>
      request(url).post('/agent/v1/chat/completions').send(said(stream));
    const whole = await complete(false);
    expect(whole.body.choices[0].message.content).toBe('{"sum":3}');
    const streamed = (await complete(true)).text
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as { choices: Choice[] })
      .map(({ choices }) => choices[0]?.delta.content ?? '');
    expect(streamed.join('')).toBe('{"sum":3}');
    expect(model.requests.map(({ responseFormat }) => responseFormat)).toEqual(
      Array.from({ length: 4 }, () => ({ type: 'json_object' })),
    );
  });
});

interface Choice {
  readonly delta: { readonly content?: string };
}
