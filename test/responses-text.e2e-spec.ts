import { ModelError } from 'nestjs-agent';
import { Barrier } from 'nestjs-agent/testing';
import type OpenAI from 'openai';
import { ON_EXPRESS } from './http/agent-app';
import {
  itemsOf,
  refusal,
  ResponsesApps,
  streamed,
  typesOf,
} from './front-ends/responses/responses-app';

describe.each(ON_EXPRESS)('texts over Responses on %s', (adapter) => {
  const apps = new ResponsesApps();
  afterEach(() => apps.close());

  it('come whole', async () => {
    const { client, model } = await apps.serve({ adapter, steps: ['Hello.'] });
    const response = await client.responses.create({
      model: 'agent',
      input: 'hi',
      metadata: { topic: 'greeting' },
    });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_run_[\w-]{24}_0$/),
      object: 'response',
      status: 'completed',
      model: 'agent',
      output_text: 'Hello.',
      error: null,
      incomplete_details: null,
      previous_response_id: null,
      conversation: { id: expect.stringMatching(/^ses_/) },
      metadata: { topic: 'greeting' },
      store: true,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    });
    expect(model.requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('come in pieces', async () => {
    const { client } = await apps.serve({ adapter, steps: [{ text: ['Hel', 'lo.'] }] });
    const { response, types } = await streamed(client, { model: 'agent', input: 'hi' });
    expect(response).toMatchObject({ status: 'completed', output_text: 'Hello.' });
    expect(response.usage?.total_tokens).toBe(15);
    expect(types.slice(2)).toEqual([
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('go on from a response, from a conversation, and by themselves', async () => {
    const { client, model } = await apps.serve({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    const one = await client.responses.create({ input: '1' });
    const two = await client.responses.create({ input: '2', previous_response_id: one.id });
    expect(two).toMatchObject({ previous_response_id: one.id, conversation: one.conversation });
    const three = await client.responses.create({
      input: [{ role: 'user', content: [{ type: 'input_text', text: '3' }] }],
      conversation: one.conversation?.id ?? null,
    });
    expect(three.conversation).toEqual(one.conversation);
    expect(model.requests.at(-1)?.messages).toMatchObject([
      { content: [{ text: '1' }] },
      { content: [{ text: 'One.' }] },
      { content: [{ text: '2' }] },
      { content: [{ text: 'Two.' }] },
      { content: [{ text: '3' }] },
    ]);
  });

  it('follow reasoning, which can be withheld', async () => {
    const steps = [{ reasoning: 'Hm.', text: 'Hello.' }];
    const shown = await apps.serve({ adapter, steps });
    const { response, types } = await streamed(shown.client, { input: 'hi' });
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
      { type: 'message', content: [{ text: 'Hello.' }] },
    ]);
    expect(types).toContain('response.reasoning_text.delta');
    const withheld = await apps.serve({ adapter, steps, sendReasoning: false });
    expect(typesOf(await withheld.client.responses.create({ input: 'hi' }))).toEqual(['message']);
  });

  it('fail with a status before they begin, and with an event later', async () => {
    const failing = new ModelError('model_rate_limited', 'Too many requests.');
    const early = await apps.serve({ adapter, steps: [failing, failing] });
    for (const stream of [true, false]) {
      const error = await refusal(early.client.responses.create({ input: 'hi', stream }));
      expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    }
    const late = await apps.serve({
      adapter,
      steps: [[{ type: 'text.delta', delta: 'Hel' }, new ModelError('model_unavailable', 'Away.')]],
    });
    const { response, types } = await streamed(late.client, { input: 'hi' });
    expect(types.at(-1)).toBe('response.failed');
    expect(response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
    expect(itemsOf(response, 'message')).toMatchObject([
      { status: 'incomplete', content: [{ text: 'Hel' }] },
    ]);
    const stored = await late.client.responses.retrieve(response.id);
    expect(stored).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });

  it('end with the words of a run that was stopped', async () => {
    const steps = [{ toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] }];
    const { client } = await apps.serve({ adapter, steps, maxSteps: 1 });
    const { response } = await streamed(client, { input: 'hi' });
    expect(typesOf(response)).toEqual(['mcp_call', 'message']);
    expect(response.output_text).not.toBe('');
    expect(await client.responses.retrieve(response.id)).toMatchObject({
      output_text: response.output_text,
      output: response.output,
    });
  });

  it('say that they are cut off', async () => {
    const steps = [{ text: 'Once upon', finishReason: 'max_tokens' as const }];
    const { client } = await apps.serve({ adapter, steps });
    const { response, types } = await streamed(client, { input: 'hi' });
    expect(types.at(-1)).toBe('response.incomplete');
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ status: 'incomplete' }],
    });
  });

  it('end with their client', async () => {
    const held = new Barrier();
    const { client, model } = await apps.serve({
      adapter,
      steps: [[{ type: 'text.delta', delta: 'Hel' }, held], 'Again.'],
    });
    const stream = client.responses.stream({ model: 'agent', input: 'hi' });
    let id = '';
    for await (const event of stream) {
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type === 'response.output_text.delta') break;
    }
    await cancelled(client, id);
    const next = await client.responses.create({ input: 'again', previous_response_id: id });
    expect(next.output_text).toBe('Again.');
    expect(model.requests).toHaveLength(2);
  });
});

/** Waits until the run of a response has noticed that its client is gone. */
async function cancelled(client: OpenAI, id: string): Promise<void> {
  for (;;) {
    const { status } = await client.responses.retrieve(id);
    if (status === 'cancelled') return;
    expect(status).toBe('in_progress');
  }
}
