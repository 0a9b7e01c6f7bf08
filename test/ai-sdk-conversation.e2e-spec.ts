import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf, post, question } from './front-ends/ai-sdk/wire';
import { Closers, ON_FASTIFY } from './http/agent-app';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.each(ON_FASTIFY)('useChat and a conversation on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it('reads text and metadata, and goes on with the same session', async () => {
    const { url, model } = await apps.open({ adapter, steps: [{ text: ['Hel', 'lo.'] }, 'Fine.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'hi' });
    expect(chat.error).toBeUndefined();
    expect(chat.text).toBe('Hello.');
    const { id, metadata } = chat.answer;
    expect(metadata).toMatchObject({
      sessionId: expect.stringMatching(/^ses_[\w-]{43}$/),
      runId: expect.stringMatching(/^run_/),
      model: 'scripted',
      status: 'completed',
      stopReason: 'end_turn',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
    expect(id).toBe(`msg_${(metadata as { runId: string }).runId}`);
    await chat.sendMessage({ text: 'and you?' });
    expect(chat.text).toBe('Fine.');
    expect(chat.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(model.requests[1]?.messages).toHaveLength(3);
    const history = await historyOf(url, 'main');
    expect(history.map((message) => message.id)).toEqual(chat.messages.map((each) => each.id));
    expect(history.map(({ parts }) => parts)).toEqual(chat.messages.map(({ parts }) => parts));
  });

  it('shows calls with their results, the same in the history', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        {
          reasoning: 'Two notes.',
          text: 'Let me see.',
          toolCalls: [
            { name: 'add', input: { a: 2, b: 40 } },
            { name: 'read_note', input: { id: 7 } },
          ],
        },
        {
          toolCalls: [
            { name: 'read_note', input: { id: 'x' } },
            { name: 'no_such_tool', input: {} },
            { name: 'add', malformedInput: '{"a": 2, ' },
          ],
        },
        'Done.',
      ],
    });
    const seen: string[] = [];
    const chat = new Chat(url, {
      user: 'alice',
      id: 'main',
      onToolCall: ({ toolCall }) => void seen.push(toolCall.toolName),
    });
    await chat.sendMessage({ text: 'go' });
    expect(chat.error).toBeUndefined();
    expect(chat.call('call_1')).toMatchObject({
      type: 'tool-add',
      state: 'output-available',
      input: { a: 2, b: 40 },
      output: '42',
      providerExecuted: true,
    });
    expect(chat.call('call_2')).toMatchObject({
      state: 'output-available',
      output: { id: 7, text: 'buy milk' },
    });
    for (const callId of ['call_3', 'call_4', 'call_5']) {
      expect(chat.call(callId)).toMatchObject({
        state: 'output-error',
        errorText: expect.stringMatching(/\w/),
        providerExecuted: true,
      });
    }
    expect(chat.answer.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'reasoning',
      'text',
      'tool-add',
      'tool-read_note',
      'step-start',
      'tool-read_note',
      'tool-no_such_tool',
      'tool-add',
      'step-start',
      'text',
    ]);
    // Calls of server tools are not sent back by the page.
    expect({ seen, posts: chat.posts.length }).toEqual({ seen: [], posts: 1 });
    const [, answer] = await historyOf(url, 'main');
    expect(answer).toMatchObject({ id: chat.answer.id });
    expect(chat.answer.parts).toMatchObject(answer?.parts ?? []);
    expect(answer?.parts).toHaveLength(chat.answer.parts.length);
  });

  it('hides the reasoning where sendReasoning is false', async () => {
    const { url } = await apps.open({
      adapter,
      sendReasoning: false,
      steps: [{ reasoning: 'A secret thought.', text: 'Hello.' }],
    });
    const chunks = await post(url, { id: 'main', messages: [question('hi')] });
    const history = await historyOf(url, 'main');
    const types = chunks.map(({ type }) => type as string);
    expect(types.filter((type) => type.startsWith('reasoning'))).toEqual([]);
    expect(JSON.stringify([chunks, history])).not.toMatch(/secret/);
    expect(history[1]?.parts).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'Hello.', state: 'done' },
    ]);
  });

  it('attaches pictures and files, and shows them in the history', async () => {
    const { url, model } = await apps.open({ adapter, seesAll: true, steps: ['A dot.', 'Still.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    const note = `data:text/plain;base64,${Buffer.from('a note').toString('base64')}`;
    const files = [
      { type: 'file', mediaType: 'image/png', filename: 'dot.png', url: PNG },
      { type: 'file', mediaType: 'text/plain', filename: 'note.txt', url: note },
    ] as const;
    await chat.sendMessage({ text: 'What is this?', files: [...files] });
    expect(chat.text).toBe('A dot.');
    expect(model.requests[0]?.messages[0]?.content).toEqual([
      { type: 'image', mediaType: 'image/png', name: 'dot.png', data: PNG.split(',')[1] },
      { type: 'file', mediaType: 'text/plain', name: 'note.txt', data: note.split(',')[1] },
      { type: 'text', text: 'What is this?' },
    ]);
    const messages = await historyOf(url, 'main');
    expect(messages[0]?.parts).toEqual([...files, { type: 'text', text: 'What is this?' }]);
    // A page that loaded them sends them back with every message.
    const reloaded = new Chat(url, { user: 'alice', id: 'main', messages });
    await reloaded.sendMessage({ text: 'And now?' });
    expect(reloaded.text).toBe('Still.');
    const refused = new Chat(url, { user: 'alice', id: 'other' });
    await refused.sendMessage({
      files: [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }],
    });
    expect(JSON.parse(refused.error?.message ?? '')).toMatchObject({
      statusCode: 400,
      code: 'attachment_refused',
    });
  });

  it('reads the last message alone, unknown parts, and what the page tells of itself', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['Hello.'] });
    const message = {
      id: 'u1',
      role: 'user',
      newKey: { a: 1 },
      parts: [
        { type: 'from-the-future', payload: [1] },
        { type: 'data-selection', data: {} },
        { type: 'text', text: 'hi', newKey: true },
        { type: 'text', text: '  ' },
      ],
    };
    const chunks = await post(url, {
      id: 'main',
      message,
      trigger: 'submit-message',
      messageId: null,
      config: { modelName: 'x' },
      system: 'The user looks at order 17.',
      context: ['It is late.'],
      tools: {},
    });
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    const sent = JSON.stringify(model.requests[0]);
    expect(sent).toMatch(/The user looks at order 17/);
    expect(sent).toMatch(/It is late/);
    // Text that the page provides is quoted and never becomes an instruction.
    expect(model.requests[0]?.system).not.toMatch(/^The user looks at order 17/m);
  });

  it.each([
    [{}, /^messages must be an array/],
    [{ messages: [] }, /^messages must be an array/],
    [{ messages: [7] }, /^messages\/0 must be an object/],
    [{ messages: [{ id: 'u', role: 'system', parts: [] }] }, /^messages\/0\/role must be/],
    [{ message: { id: 'u', role: 'user', content: 'hi' } }, /^message\/parts must be an array/],
    [{ message: { id: 'u', role: 'user', parts: [] } }, /^message\/parts must have/],
    [{ message: { role: 'user', parts: [{ type: 'text' }] } }, /^message\/parts\/0\/text must be/],
    [{ message: { role: 'user', parts: [{ type: 'file' }] } }, /\/parts\/0\/mediaType must be/],
    [{ message: { role: 'user', parts: [null] } }, /^message\/parts\/0 must be an object/],
    [{ ...one(), trigger: 'resume' }, /^trigger must be/],
    [{ ...one(), messageId: 7 }, /^messageId must be/],
    [{ ...one(), tools: [] }, /^tools must be an object/],
    [{ ...one(), tools: { a: 1 } }, /^tools\/a must be/],
    [{ ...one(), tools: { a: { parameters: 1 } } }, /^tools\/a\/parameters must be/],
    [{ ...one(), frontendTools: {} }, /^frontendTools must be/],
    [{ ...one(), frontendTools: [{ input_schema: {} }] }, /^frontendTools\/0\/name must be/],
    [{ ...one(), frontendTools: [{ name: 'add' }] }, /already has a tool named "add"/],
    [{ ...one(), context: [1] }, /^context must be/],
    [{ ...one(), context: ['x'.repeat(100_001)] }, /^context must have at most 100000/],
    [{ ...one(), system: {} }, /^system must be/],
    [{ ...one(), id: '' }, /id of the conversation must have/],
    [{ ...one(), id: 'x'.repeat(257) }, /id of the conversation must have/],
    [{ ...one(), id: undefined }, /id of the conversation must have/],
  ])('refuses the body %#, naming the field', async (body, message) => {
    const { url } = await apps.open({ adapter });
    const answer = await fetch(`${url}/agent/ai-sdk`, {
      method: 'POST',
      headers: { authorization: 'Bearer alice', 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'main', ...body }),
    });
    const told = (await answer.json()) as { message: string | string[] };
    expect({ status: answer.status, told }).toMatchObject({ status: 400 });
    expect([told.message].flat().join()).toMatch(message);
  });
});

function one(): object {
  return { message: question('hi') };
}
