import { memoryStore, SessionService } from 'nestjs-agent';
import { Barrier } from 'nestjs-agent/testing';
import type OpenAI from 'openai';
import { ON_FASTIFY, removed } from './http/agent-app';
import {
  asked,
  decision,
  refusal,
  ResponsesApps,
  streamed,
  typesOf,
} from './front-ends/responses/responses-app';

const removal = { toolCalls: [{ name: 'remove_file', input: { name: 'a.txt' } }] };
const NOWHERE = 'resp_run_AAAAAAAAAAAAAAAAAAAAAAAA_0';

describe.each(ON_FASTIFY)('conversations over Responses on %s', (adapter) => {
  const apps = new ResponsesApps();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());

  /** Everything that an id of a response lets somebody ask. */
  const asking = (client: OpenAI, id: string): readonly (() => PromiseLike<unknown>)[] => [
    () => client.responses.create({ input: 'go on', previous_response_id: id }),
    () =>
      client.responses.create({ previous_response_id: id, input: [decision('mcpr_call_1', true)] }),
    () => client.responses.retrieve(id),
    () => client.responses.cancel(id),
    () => client.responses.delete(id),
  ];

  it('are there for nobody else', async () => {
    const { client, connect } = await apps.serve({ adapter, steps: [removal] });
    const { id, conversation } = await client.responses.create({ input: 'remove' });
    for (const stranger of [connect('mallory'), connect()]) {
      for (const attempt of asking(stranger, id)) {
        expect(await refusal(attempt())).toMatchObject({ status: 404, code: 'response_not_found' });
      }
      const joining = stranger.responses.create({
        input: 'hi',
        conversation: conversation?.id ?? '',
      });
      expect(await refusal(joining)).toMatchObject({ status: 404, code: 'session_not_found' });
    }
    expect(removed).toEqual([]);
    expect(asked(await client.responses.retrieve(id)).name).toBe('remove_file');
  });

  it('begin with an id of the server', async () => {
    const { client } = await apps.serve({ adapter, steps: ['One.'] });
    const { id } = await client.responses.create({ input: 'hi' });
    const wrong = [NOWHERE, 'resp_1', 'x', id.replace(/_0$/, '_3'), '../sessions'];
    for (const each of wrong) {
      const error = await refusal(
        client.responses.create({ input: 'hi', previous_response_id: each }),
      );
      expect(error).toMatchObject({ status: 404, param: 'previous_response_id' });
    }
    expect(await refusal(client.responses.retrieve(NOWHERE))).toMatchObject({ status: 404 });
    const unknown = client.responses.create({ input: 'hi', conversation: 'conv_1' });
    expect(await refusal(unknown)).toMatchObject({ status: 404 });
  });

  it('of anonymous callers need the session beside the response', async () => {
    const { connect } = await apps.serve({ adapter, steps: ['One.', removal, 'Gone.', 'Four.'] });
    const nobody = connect();
    const one = await nobody.responses.create({ input: '1' });
    const conversation = one.conversation?.id ?? '';
    const without = nobody.responses.create({ input: '2', previous_response_id: one.id });
    const error = await refusal(without);
    expect(error).toMatchObject({ status: 404 });
    expect(error.message).toContain('conversation');
    const two = await nobody.responses.create({
      input: '2',
      previous_response_id: one.id,
      conversation,
    });
    const same = connect('', conversation);
    expect((await same.responses.retrieve(two.id)).id).toBe(two.id);
    const three = await same.responses.create({
      previous_response_id: two.id,
      input: [decision(asked(two).id, true)],
    });
    expect(three).toMatchObject({ output_text: 'Gone.', conversation: { id: conversation } });
    const elsewhere = connect(
      '',
      (await connect().responses.create({ input: 'x' })).conversation?.id,
    );
    expect(await refusal(elsewhere.responses.retrieve(three.id))).toMatchObject({ status: 404 });
  });

  it('go on from their last response alone, so a second tab cannot fork them', async () => {
    const { client } = await apps.serve({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    const one = await client.responses.create({ input: '1' });
    const previous_response_id = one.id;
    await client.responses.create({ input: '2', previous_response_id });
    const stale = await refusal(client.responses.create({ input: '2b', previous_response_id }));
    expect(stale).toMatchObject({ status: 400, code: 'not_last_response' });
    for (const attempt of ['cancel', 'delete'] as const) {
      expect(await refusal(client.responses[attempt](one.id))).toMatchObject({
        status: 400,
        code: 'not_last_response',
      });
    }
    const conversation = one.conversation?.id ?? '';
    expect((await client.responses.create({ input: '3', conversation })).output_text).toBe(
      'Three.',
    );
  });

  it('take one request at a time', async () => {
    const held = new Barrier();
    const { client } = await apps.serve({
      adapter,
      steps: ['One.', [held, { type: 'text.delta', delta: 'Two.' }]],
    });
    const one = await client.responses.create({ input: '1' });
    const second = streamed(client, { input: '2', previous_response_id: one.id });
    await held.reached;
    const conversation = one.conversation?.id ?? '';
    const busy = await refusal(client.responses.create({ input: '2b', conversation }));
    expect(busy).toMatchObject({ status: 409, code: 'session_busy' });
    held.open();
    const { response } = await second;
    expect(response.output_text).toBe('Two.');
  });

  it('of which the two ids have to be one', async () => {
    const { client } = await apps.serve({ adapter, steps: ['One.', 'Other.'] });
    const one = await client.responses.create({ input: '1' });
    const other = await client.responses.create({ input: '2' });
    const error = await refusal(
      client.responses.create({
        input: 'hi',
        previous_response_id: one.id,
        conversation: other.conversation?.id ?? '',
      }),
    );
    expect(error).toMatchObject({ status: 400, param: 'previous_response_id' });
  });

  it('are not read from their beginning for their last response', async () => {
    const store = memoryStore();
    const steps = ['One.', 'Two.', 'Three.'];
    const { client } = await apps.serve({ adapter, steps, sessions: { store } });
    const one = await client.responses.create({ input: '1' });
    const two = await client.responses.create({ input: '2', previous_response_id: one.id });
    const reads = jest.spyOn(store, 'read');
    expect((await client.responses.retrieve(two.id)).output_text).toBe('Two.');
    await client.responses.create({ input: '3', previous_response_id: two.id });
    expect(reads).toHaveBeenCalled();
    expect(reads.mock.calls.filter(([, from = 1]) => from === 1)).toEqual([]);
  });

  it('expire with their session', async () => {
    const { client, app } = await apps.serve({ adapter, steps: ['One.'] });
    const { id, conversation } = await client.responses.create({ input: '1' });
    await app.get(SessionService).clear(conversation?.id ?? '', 'alice');
    for (const attempt of asking(client, id)) {
      expect(await refusal(attempt())).toMatchObject({ status: 404 });
    }
  });

  it('lose a response that is deleted, with its question', async () => {
    const { client, model } = await apps.serve({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    const one = await client.responses.create({ input: '1' });
    const two = await client.responses.create({ input: '2', previous_response_id: one.id });
    await client.responses.delete(two.id);
    expect(await refusal(client.responses.retrieve(two.id))).toMatchObject({ status: 404 });
    const next = client.responses.create({ input: '3', previous_response_id: two.id });
    expect(await refusal(next)).toMatchObject({ status: 404 });
    const three = await client.responses.create({ input: '3', previous_response_id: one.id });
    expect(three.output_text).toBe('Three.');
    expect(JSON.stringify(model.requests.at(-1)?.messages)).not.toContain('Two.');
  });

  it('are cancelled while they are told', async () => {
    const held = new Barrier();
    const { client } = await apps.serve({
      adapter,
      steps: [[{ type: 'text.delta', delta: 'Once' }, held], 'Again.'],
    });
    const stream = client.responses.stream({ model: 'agent', input: 'hi' });
    const types: string[] = [];
    let id = '';
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type !== 'response.output_text.delta') continue;
      expect(await client.responses.retrieve(id)).toMatchObject({ status: 'in_progress' });
      await client.responses.cancel(id);
    }
    expect(types.at(-1)).toBe('response.incomplete');
    expect(await stream.finalResponse()).toMatchObject({
      status: 'cancelled',
      output: [{ status: 'incomplete', content: [{ text: 'Once' }] }],
    });
    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'cancelled' });
    const next = await client.responses.create({ input: 'go on', previous_response_id: id });
    expect(next.output_text).toBe('Again.');
  });

  it('are cancelled while they wait, and go on', async () => {
    const { client } = await apps.serve({ adapter, steps: [removal, 'Again.'] });
    const one = await client.responses.create({ input: 'remove' });
    const cancelled = await client.responses.cancel(one.id);
    expect(cancelled).toMatchObject({ id: one.id, status: 'cancelled' });
    const late = client.responses.create({
      previous_response_id: one.id,
      input: [decision(asked(one).id, true)],
    });
    expect(await refusal(late)).toMatchObject({ status: 409 });
    const next = await client.responses.create({ input: 'hi', previous_response_id: one.id });
    expect(typesOf(next)).toEqual(['message']);
    expect(removed).toEqual([]);
  });

  it('stay as they are once they are over, and come whole', async () => {
    const { client } = await apps.serve({ adapter, steps: ['One.'] });
    const one = await client.responses.create({ input: '1' });
    expect(await client.responses.cancel(one.id)).toMatchObject({ status: 'completed' });
    const replayed = client.responses.retrieve(one.id, { stream: true });
    expect(await refusal(replayed)).toMatchObject({ status: 400, param: 'stream' });
  });
});
