import { z } from 'zod';
import request from 'supertest';
import { ADAPTERS } from './http/agent-app';
import {
  PAGE_TITLE_TOOL,
  pageTitleName,
  ResponsesApps,
} from './front-ends/responses/responses-app';

/*
 * The cases of the Open Responses compliance suite, asked over plain HTTP. The fields and their
 * types are those of its schema of a response; `serverItems: 'hidden'` keeps to its items.
 * See https://www.openresponses.org/compliance.
 */

const nullableNumber = z.number().nullable();
const status = z.enum(['in_progress', 'completed', 'incomplete']);
const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    id: z.string(),
    status,
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.array(
      z.object({
        type: z.literal('output_text'),
        text: z.string(),
        annotations: z.array(z.unknown()),
        logprobs: z.array(z.unknown()),
      }),
    ),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.unknown()),
    content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })),
  }),
]);
const tool = z.object({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});
const usage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
});
const resource = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(tool),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.object({ type: z.string() })]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format: z.object({ type: z.string() }), verbosity: z.string().optional() }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.object({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  usage: usage.nullable(),
  max_output_tokens: nullableNumber,
  max_tool_calls: nullableNumber,
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

const place = { item_id: z.string(), output_index: z.int() };
const part = { ...place, content_index: z.int() };
const EVENTS: Readonly<Record<string, z.ZodRawShape>> = {
  'response.created': { response: resource },
  'response.in_progress': { response: resource },
  'response.completed': { response: resource },
  'response.output_item.added': { output_index: z.int(), item },
  'response.output_item.done': { output_index: z.int(), item },
  'response.content_part.added': { ...part, part: z.object({ type: z.string() }) },
  'response.content_part.done': { ...part, part: z.object({ type: z.string() }) },
  'response.output_text.delta': { ...part, delta: z.string(), logprobs: z.array(z.unknown()) },
  'response.output_text.done': { ...part, text: z.string(), logprobs: z.array(z.unknown()) },
  'response.function_call_arguments.delta': { ...place, delta: z.string() },
  'response.function_call_arguments.done': { ...place, arguments: z.string() },
};

const message = (role: string, content: unknown) => ({ type: 'message', role, content });
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

interface Told {
  readonly type: string;
  readonly sequence_number: number;
}

describe.each(ADAPTERS)('the cases of Open Responses on %s', (adapter) => {
  const apps = new ResponsesApps();
  afterEach(() => apps.close());

  const ask = async (body: object, step: Parameters<typeof apps.serve>[0]) => {
    const protocols = { openai: { serverItems: 'hidden' as const } };
    const { url } = await apps.serve({ adapter, protocols, ...step });
    const answer = await request(url)
      .post('/agent/v1/responses')
      .set('authorization', 'Bearer alice')
      .send({ model: 'agent', ...body });
    expect(answer.status).toBe(200);
    return answer;
  };
  const eventsIn = (text: string): readonly Told[] =>
    text
      .split('\n\n')
      .filter((frame) => frame.startsWith('event: '))
      .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as Told);
  const expectSchema = (events: readonly Told[]) => {
    for (const event of events) {
      const shape = EVENTS[event.type];
      if (shape === undefined) throw new Error(`${event.type} is not in the schema.`);
      z.object({ sequence_number: z.int(), ...shape }).parse(event);
    }
  };
  const callsTool = {
    steps: [
      ({ tools }: { tools: readonly { name: string }[] }) => {
        const name = tools.find((each) => pageTitleName.test(each.name))?.name ?? 'none';
        return { toolCalls: [{ name }] };
      },
    ],
  };

  it.each([
    ['a text', [message('user', 'Say hello.')]],
    ['a system text', [message('system', 'Speak like a pirate.'), message('user', 'Hello?')]],
    [
      'several turns',
      [message('user', 'I am Ada.'), message('assistant', 'Hello.'), message('user', 'Who am I?')],
    ],
    [
      'a picture',
      [
        message('user', [
          { type: 'input_text', text: 'What is it?' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
        ]),
      ],
    ],
  ])('%s is answered', async (_case, input) => {
    const { body } = await ask({ input }, { steps: ['Hello.'], seesAll: true });
    expect(resource.parse(body)).toMatchObject({
      status: 'completed',
      output: [{ type: 'message', content: [{ text: 'Hello.' }] }],
    });
  });

  it('a stream has its events in order, each in the form of its schema', async () => {
    const input = [message('user', 'Count.')];
    const steps = [{ reasoning: 'Hm.', text: ['One, ', 'two.'] }];
    const { text } = await ask({ input, stream: true }, { steps, sendReasoning: false });
    const events = eventsIn(text);
    expectSchema(events);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed' },
    });
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
  });

  it('a tool of the client is called, whole and streamed', async () => {
    const body = { input: [message('user', 'Title?')], tools: [PAGE_TITLE_TOOL] };
    const whole = await ask(body, callsTool);
    expect(resource.parse(whole.body).output).toMatchObject([
      { type: 'function_call', name: PAGE_TITLE_TOOL.name },
    ]);
    const { text } = await ask({ ...body, stream: true }, callsTool);
    const events = eventsIn(text);
    expectSchema(events);
    expect(events.map(({ type }) => type).slice(2)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('compaction is not served', async () => {
    const { url } = await apps.serve({ adapter });
    const answer = await request(url).post('/agent/v1/responses/compact').send({ model: 'agent' });
    expect(answer.status).toBe(404);
  });
});
