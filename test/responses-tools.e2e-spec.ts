import { ON_FASTIFY } from './http/agent-app';
import {
  itemsOf,
  PAGE_TITLE_TOOL,
  pageTitleName,
  refusal,
  ResponsesApps,
  streamed,
  typesOf,
} from './front-ends/responses/responses-app';

const add = (a: number, b: number) => ({ name: 'add', input: { a, b } });

describe.each(ON_FASTIFY)('calls over Responses on %s', (adapter) => {
  const apps = new ResponsesApps();
  afterEach(() => apps.close());

  it('of server tools are mcp_call items, beside the texts', async () => {
    const steps = [{ text: 'Let me add.', toolCalls: [add(1, 2)] }, 'It is 3.'];
    const { client } = await apps.serve({ adapter, steps, name: 'adder' });
    const { response, types } = await streamed(client, { input: 'add' });
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ text: 'Let me add.' }] },
      {
        type: 'mcp_call',
        status: 'completed',
        server_label: 'adder',
        name: 'add',
        arguments: '{"a":1,"b":2}',
        output: '3',
        error: null,
        approval_request_id: null,
      },
      { type: 'message', content: [{ text: 'It is 3.' }] },
    ]);
    expect(response.usage?.total_tokens).toBe(30);
    expect(types.filter((type) => type.startsWith('response.mcp_call'))).toEqual([
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
    ]);
    expect((await client.responses.retrieve(response.id)).output).toEqual(response.output);
  });

  it('of two at a time, of which one fails', async () => {
    const calls = [add(1, 2), { name: 'read_note', input: { id: 'x' } }, { name: 'nope' }];
    const broken = { name: 'add', malformedInput: '{"a":' };
    const steps = [{ toolCalls: [...calls, broken] }, 'Done.'];
    const { client } = await apps.serve({ adapter, steps });
    const { response } = await streamed(client, { input: 'go' });
    expect(itemsOf(response, 'mcp_call')).toMatchObject([
      { name: 'add', status: 'completed', output: '3', error: null },
      { name: 'read_note', status: 'failed', output: null, error: expect.any(String) },
      { name: 'nope', status: 'failed', output: null, error: expect.any(String) },
      { name: 'add', status: 'failed', arguments: '{}', error: expect.any(String) },
    ]);
    expect(response).toMatchObject({ status: 'completed', output_text: 'Done.' });
  });

  it('can be hidden', async () => {
    const steps = [{ text: 'Hm.', toolCalls: [add(1, 2)] }, 'It is 3.'];
    const protocols = { openai: { serverItems: 'hidden' as const } };
    const { client } = await apps.serve({ adapter, steps, protocols });
    const { response } = await streamed(client, { input: 'add' });
    expect(typesOf(response)).toEqual(['message', 'message']);
    expect((await client.responses.retrieve(response.id)).output).toEqual(response.output);
  });

  it('of client tools are executed by the client, one result and one failure', async () => {
    const { client, model } = await apps.serve({
      adapter,
      steps: [
        ({ tools }) => {
          const name = tools.find((tool) => pageTitleName.test(tool.name))?.name ?? 'none';
          return { text: 'Wait.', toolCalls: [{ name }, { name, input: { deep: true } }] };
        },
        'It is Orders.',
      ],
    });
    const tools = [PAGE_TITLE_TOOL];
    const { response, types } = await streamed(client, { input: 'title?', tools });
    expect(response.status).toBe('completed');
    const calls = itemsOf(response, 'function_call');
    expect(calls).toMatchObject([
      { name: 'page-title', arguments: '{}', status: 'completed' },
      { name: 'page-title', arguments: '{"deep":true}', status: 'completed' },
    ]);
    expect(types.filter((type) => type.includes('function_call'))).toEqual([
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
    ]);
    const [first, second] = calls;
    const next = await streamed(client, {
      previous_response_id: response.id,
      tools,
      input: [
        { type: 'function_call_output', call_id: first?.call_id ?? '', output: 'Orders' },
        {
          type: 'function_call_output',
          call_id: second?.call_id ?? '',
          output: [{ type: 'input_text', text: 'No such frame.' }],
          status: 'incomplete',
        },
      ],
    });
    expect(typesOf(next.response)).toEqual(['message']);
    expect(next.response).toMatchObject({
      output_text: 'It is Orders.',
      usage: { total_tokens: 15 },
      previous_response_id: response.id,
    });
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', content: 'Orders', is_error: false },
      { type: 'tool_result', is_error: true },
    ]);
    const stored = await client.responses.retrieve(next.response.id);
    expect(stored).toMatchObject({
      output: next.response.output,
      usage: next.response.usage,
      previous_response_id: response.id,
    });
  });

  it('of client tools go through a conversation that the client stores', async () => {
    const { client, model } = await apps.serve({
      adapter,
      steps: [
        ({ tools }) => {
          const name = tools.find((tool) => pageTitleName.test(tool.name))?.name ?? 'none';
          return { toolCalls: [{ name }] };
        },
        'It is Orders.',
      ],
    });
    const question = { role: 'user' as const, content: 'title?' };
    const asking = { store: false, tools: [PAGE_TITLE_TOOL] };
    const { response } = await streamed(client, { ...asking, input: [question] });
    const [call] = itemsOf(response, 'function_call');
    expect(call).toMatchObject({ name: 'page-title', status: 'completed' });
    // Beside the client's tools only those are offered that just read.
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual([
      'read_note',
      'add',
      expect.stringMatching(pageTitleName),
    ]);
    const output = { type: 'function_call_output' as const, call_id: call?.call_id ?? '' };
    const next = await client.responses.create({
      ...asking,
      input: [question, ...(response.output as []), { ...output, output: 'Orders' }],
    });
    expect(next).toMatchObject({ output_text: 'It is Orders.', conversation: null });
  });

  it('of client tools with unusable arguments are the model’s to repeat', async () => {
    const { client } = await apps.serve({
      adapter,
      steps: [
        ({ tools }) => {
          const name = tools.find((tool) => pageTitleName.test(tool.name))?.name ?? 'none';
          return { toolCalls: [{ name, malformedInput: '{' }] };
        },
        'Never mind.',
      ],
    });
    const { response } = await streamed(client, { input: 'title?', tools: [PAGE_TITLE_TOOL] });
    expect(typesOf(response)).toEqual(['message']);
  });

  it('of client tools never take the name of a server tool', async () => {
    const { client } = await apps.serve({ adapter });
    const clash = { ...PAGE_TITLE_TOOL, name: 'add' };
    const error = await refusal(client.responses.create({ input: 'hi', tools: [clash] }));
    expect(error).toMatchObject({ status: 400, param: 'tools[0]' });
    expect(error.message).toContain('already has a tool named "add"');
  });

  it('are chosen by the client among those on offer', async () => {
    const { client, model } = await apps.serve({
      adapter,
      steps: [{ toolCalls: [add(1, 2)] }, '3'],
    });
    const tool_choice = { type: 'mcp', server_label: 'agent', name: 'add' } as const;
    await client.responses.create({
      input: 'hi',
      tool_choice,
      tools: [{ type: 'mcp', server_label: 'agent', server_url: 'http://127.0.0.1:9/never' }],
    });
    expect(model.requests[0]?.toolChoice).toEqual({ name: 'add' });
    const unknown = await refusal(
      client.responses.create({ input: 'hi', tool_choice: { ...tool_choice, name: 'nope' } }),
    );
    expect(unknown).toMatchObject({ status: 400, param: 'tool_choice' });
  });

  it.each([
    [{ type: 'web_search' }, 'tools[0].type'],
    [{ type: 'code_interpreter', container: { type: 'auto' } }, 'tools[0].type'],
    [{ type: 'custom', name: 'free' }, 'tools[0].type'],
    [{ type: 'mcp', server_label: 'other', server_url: 'http://x' }, 'tools[0].server_label'],
  ])('of tools that OpenAI hosts are refused: %j', async (tool, param) => {
    const { client } = await apps.serve({ adapter });
    const error = await refusal(client.responses.create({ input: 'hi', tools: [tool as never] }));
    expect(error).toMatchObject({ status: 400, param });
  });
});
