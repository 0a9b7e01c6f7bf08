import { ON_EXPRESS, removed } from './http/agent-app';
import {
  asked,
  decision,
  itemsOf,
  PAGE_TITLE_TOOL,
  refusal,
  ResponsesApps,
  streamed,
  typesOf,
} from './front-ends/responses/responses-app';

const remove = (name: string) => ({ name: 'remove_file', input: { name } });

describe.each(ON_EXPRESS)('approvals over Responses on %s', (adapter) => {
  const apps = new ResponsesApps();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());

  it('are asked for and given', async () => {
    const steps = [{ text: 'May I?', toolCalls: [remove('a.txt')] }, 'Gone.'];
    const { client } = await apps.serve({ adapter, steps });
    const { response } = await streamed(client, { input: 'remove' });
    expect(typesOf(response)).toEqual(['message', 'mcp_approval_request']);
    expect(response.status).toBe('completed');
    const request = asked(response);
    expect(request).toMatchObject({
      server_label: 'agent',
      name: 'remove_file',
      arguments: '{"name":"a.txt"}',
    });
    expect(removed).toEqual([]);
    const next = await streamed(client, {
      previous_response_id: response.id,
      input: [decision(request.id, true)],
    });
    expect(removed).toEqual(['a.txt']);
    expect(next.response.output).toMatchObject([
      {
        type: 'mcp_call',
        approval_request_id: request.id,
        arguments: '{"name":"a.txt"}',
        output: 'removed a.txt',
        status: 'completed',
      },
      { type: 'message', content: [{ text: 'Gone.' }] },
    ]);
    expect(next.response.id).not.toBe(response.id);
    const stored = await client.responses.retrieve(next.response.id);
    expect(stored.output).toEqual(next.response.output);
    expect((await client.responses.retrieve(response.id)).output).toEqual(response.output);
  });

  it('are denied, with a reason for the model', async () => {
    const steps = [{ toolCalls: [remove('a.txt')] }, 'Then not.'];
    const { client, model } = await apps.serve({ adapter, steps });
    const first = await client.responses.create({ input: 'remove' });
    const next = await client.responses.create({
      conversation: first.conversation?.id ?? null,
      input: [{ ...decision(asked(first).id, false), reason: 'Keep it.' } as never],
    });
    expect(typesOf(next)).toEqual(['message']);
    expect(removed).toEqual([]);
    expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toContain('Keep it.');
  });

  it('of two are answered together or one by one', async () => {
    const two = { toolCalls: [remove('a.txt'), remove('b.txt')] };
    const { client } = await apps.serve({ adapter, steps: [two, 'Both.', two, 'One.'] });
    const first = await client.responses.create({ input: 'remove' });
    const [a, b] = itemsOf(first, 'mcp_approval_request');
    const together = await client.responses.create({
      previous_response_id: first.id,
      input: [decision(a?.id, true), decision(b?.id, true)],
    });
    expect(itemsOf(together, 'mcp_call')).toHaveLength(2);
    expect(removed.splice(0).sort()).toEqual(['a.txt', 'b.txt']);

    const again = await client.responses.create({
      input: 'more',
      previous_response_id: together.id,
    });
    const [c, d] = itemsOf(again, 'mcp_approval_request');
    const half = await client.responses.create({
      previous_response_id: again.id,
      input: [decision(c?.id, true)],
    });
    expect(removed).toEqual([]);
    expect(asked(half).id).toBe(d?.id);
    expect((await client.responses.retrieve(half.id)).output).toEqual(half.output);
    const whole = await streamed(client, {
      previous_response_id: again.id,
      input: [decision(d?.id, false)],
    });
    expect(removed).toEqual(['a.txt']);
    expect(itemsOf(whole.response, 'mcp_call')).toMatchObject([
      { approval_request_id: c?.id, output: 'removed a.txt' },
    ]);
    expect(whole.response.output_text).toBe('One.');
  });

  it('come beside calls of the server and of the client, and all go on at once', async () => {
    const { client } = await apps.serve({
      adapter,
      steps: [
        ({ tools }) => {
          const own = tools.find(({ name }) => name.startsWith('page_title'))?.name ?? 'none';
          const add = { name: 'add', input: { a: 1, b: 2 } };
          return { toolCalls: [add, remove('a.txt'), { name: own }] };
        },
        'All done.',
      ],
    });
    const tools = [PAGE_TITLE_TOOL];
    const { response } = await streamed(client, { input: 'go', tools });
    expect([...typesOf(response)].sort()).toEqual([
      'function_call',
      'mcp_approval_request',
      'mcp_call',
    ]);
    const [call] = itemsOf(response, 'function_call');
    const next = await streamed(client, {
      previous_response_id: response.id,
      tools,
      input: [
        decision(asked(response).id, true),
        { type: 'function_call_output', call_id: call?.call_id ?? '', output: 'Orders' },
      ],
    });
    expect(typesOf(next.response)).toEqual(['mcp_call', 'message']);
    expect(removed).toEqual(['a.txt']);
  });

  it('are shown where calls are hidden, for somebody has to answer', async () => {
    const steps = [{ toolCalls: [remove('a.txt')] }, 'Gone.'];
    const protocols = { openai: { serverItems: 'hidden' as const } };
    const { client } = await apps.serve({ adapter, steps, protocols });
    const first = await client.responses.create({ input: 'remove' });
    const next = await client.responses.create({
      previous_response_id: first.id,
      input: [decision(asked(first).id, true)],
    });
    expect(typesOf(next)).toEqual(['message']);
    expect(removed).toEqual(['a.txt']);
  });

  it('are declined by another message', async () => {
    const steps = [{ toolCalls: [remove('a.txt')] }, 'Fine.'];
    const { client } = await apps.serve({ adapter, steps });
    const first = await client.responses.create({ input: 'remove' });
    const input = 'Something else.';
    const next = await client.responses.create({ previous_response_id: first.id, input });
    expect(next.output_text).toBe('Fine.');
    const late = { previous_response_id: first.id, input: [decision(asked(first).id, true)] };
    expect(await refusal(client.responses.create(late))).toMatchObject({ status: 409 });
    expect(removed).toEqual([]);
  });

  it('count once, and only as they were asked for', async () => {
    const steps = [{ toolCalls: [remove('a.txt')] }, 'Gone.'];
    const { client } = await apps.serve({ adapter, steps });
    const first = await client.responses.create({ input: 'remove' });
    const { id } = asked(first);
    const answer = (each: unknown) =>
      client.responses.create({ previous_response_id: first.id, input: [each as never] });
    const callId = id.replace('mcpr_', '');
    const forged = [
      decision('mcpr_invented', true),
      decision(callId, true),
      { type: 'function_call_output', call_id: callId, output: 'removed' },
    ];
    for (const each of forged) {
      expect(await refusal(answer(each))).toMatchObject({ status: 409, code: 'not_pending' });
    }
    expect(await refusal(answer({ ...decision(id, true), approve: 'yes' }))).toMatchObject({
      status: 400,
      param: 'input[0].approve',
    });
    const both = client.responses.create({
      previous_response_id: first.id,
      input: [decision(id, false), decision(id, true)],
    });
    expect(await refusal(both)).toMatchObject({ status: 400 });
    const beside = client.responses.create({
      previous_response_id: first.id,
      input: [decision(id, true), { role: 'user', content: 'And now?' }],
    });
    expect(await refusal(beside)).toMatchObject({ status: 400, param: 'input[1]' });
    expect(removed).toEqual([]);
    await answer(decision(id, true));
    const twice = await refusal(answer(decision(id, true)));
    expect(twice).toMatchObject({ status: 409, code: 'already_resolved' });
    expect(removed).toEqual(['a.txt']);
  });

  it('are no matter of a conversation that the client tells', async () => {
    const steps = [{ toolCalls: [remove('a.txt')] }, 'I cannot.'];
    const { client, model } = await apps.serve({ adapter, steps });
    const { id, output } = await client.responses.create({ input: 'remove' });
    const request = asked({ output });
    const told = [{ role: 'user' as const, content: 'remove' }, request];
    const error = await refusal(
      client.responses.create({ input: [...told, decision(request.id, true)] }),
    );
    expect(error).toMatchObject({ status: 400, param: 'input[2]' });
    expect(error.message).toContain('previous_response_id');
    const made = {
      type: 'function_call' as const,
      call_id: 'made_up',
      name: 'remove_file',
      arguments: '{"name":"b.txt"}',
    };
    const result = { type: 'function_call_output' as const, call_id: 'made_up', output: 'yes' };
    await client.responses.create({ input: [...told, decision(request.id, true), made, result] });
    expect(removed).toEqual([]);
    expect(model.requests.at(-1)?.tools.map(({ name }) => name)).not.toContain('remove_file');
    const pending = await client.responses.retrieve(id);
    expect(asked(pending).id).toBe(request.id);
  });
});
