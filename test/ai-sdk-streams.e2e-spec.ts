import { ModelError } from 'nestjs-agent';
import { Barrier, type ScriptedStep } from 'nestjs-agent/testing';
import request from 'supertest';
import { Chat } from './front-ends/ai-sdk/chat';
import { allOf, chunksIn, historyOf, post, question } from './front-ends/ai-sdk/wire';
import { ADAPTERS, Closers, PAGE_TITLE, removed } from './http/agent-app';
import { as } from './http/every-endpoint';
import { SseStream } from './http/sse-client';

const typesOf = (chunks: readonly { readonly type: string }[]) => chunks.map(({ type }) => type);
const refusal = () => new ModelError('model_rate_limited', 'The model is busy.');

/** A text that stops in the middle. */
function halting(barrier: Barrier): ScriptedStep {
  return [
    { type: 'text.delta', delta: 'Hel' },
    barrier,
    { type: 'text.delta', delta: 'lo.' },
    { type: 'finish', reason: 'end_turn' },
  ];
}

describe.each(ADAPTERS)('a stream for useChat on %s', (adapter) => {
  const apps = new Closers();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());
  const get = (url: string, id = 'main') =>
    SseStream.open(`${url}/agent/ai-sdk/${id}/stream`, { headers: as('alice') });

  it('has the chunks of the protocol, in order, under its header', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        {
          reasoning: 'Hm.',
          text: ['Let me ', 'see.'],
          toolCalls: [
            { name: 'add', input: { a: 1, b: 2 } },
            { name: 'remove_file', input: { name: 'a' } },
          ],
        },
      ],
    });
    const body = { id: 'main', messages: [question('hi')] };
    const stream = await SseStream.open(`${url}/agent/ai-sdk`, { headers: as('alice'), body });
    const chunks = await chunksIn(await allOf(stream));
    expect(stream.status).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'x-vercel-ai-ui-message-stream': 'v1',
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': expect.stringContaining('no-store'),
    });
    expect(typesOf(chunks)).toEqual([
      'start',
      'start-step',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'tool-input-available',
      'tool-input-available',
      'tool-output-available',
      'tool-approval-request',
      'finish-step',
      'finish',
    ]);
    expect(chunks[9]).toMatchObject({ toolCallId: 'call_1', providerExecuted: true });
    expect(chunks[10]).not.toHaveProperty('providerExecuted');
    expect(chunks[12]).toMatchObject({
      approvalId: 'call_2',
      toolCallId: 'call_2',
      reason: expect.stringContaining('remove_file'),
      approvalDescriptor: { expiresAt: expect.any(String), reason: expect.any(String) },
    });
    expect(chunks.at(-1)).toMatchObject({
      finishReason: 'tool-calls',
      messageMetadata: { status: 'requires_action' },
    });
  });

  it('shows arguments as they are written, and the progress of a tool', async () => {
    const piece = (delta: string) =>
      ({ type: 'tool_use.delta', id: 'call_1', name: 'add', delta }) as const;
    const { url } = await apps.open({
      adapter,
      steps: [
        [
          piece('{"a":1,'),
          piece('"b":2}'),
          { type: 'tool_use', id: 'call_1', name: 'add', input: { a: 1, b: 2 } },
          { type: 'finish', reason: 'tool_use' },
        ],
        'Three.',
      ],
    });
    const chunks = await post(url, { id: 'main', messages: [question('hi')] });
    expect(typesOf(chunks).slice(1, 6)).toEqual([
      'start-step',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-delta',
      'tool-input-available',
    ]);
    expect(typesOf(chunks).slice(-8)).toEqual([
      'tool-output-available',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
  });

  it('fails before the first text with the status of the failure, later within the stream', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [refusal(), [{ type: 'text.delta', delta: 'Hel' }, refusal()], 'Hello.'],
    });
    const answer = await request(url)
      .post('/agent/ai-sdk')
      .set(as('alice'))
      .send({ id: 'main', messages: [question('hi')] });
    expect(answer.body).toMatchObject({ statusCode: 429, code: 'model_rate_limited' });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'hi again' });
    expect(chat.status).toBe('error');
    expect(chat.error?.message).toBe('The model is busy.');
    expect(chat.text).toBe('Hel');
    expect(chat.answer.metadata).toMatchObject({ error: { code: 'model_rate_limited' } });
    // The failed answer is asked for again.
    await chat.regenerate();
    expect(chat.text).toBe('Hello.');
    const history = await historyOf(url, 'main');
    expect(history.map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  });

  it('is cancelled by stop(), and the chat goes on', async () => {
    const barrier = new Barrier();
    const { url } = await apps.open({ adapter, steps: [halting(barrier), 'Fine.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    const sending = chat.sendMessage({ text: 'hi' });
    await barrier.reached;
    while (chat.status !== 'streaming') await new Promise((resolve) => setImmediate(resolve));
    await chat.stop();
    await sending;
    expect(chat.error).toBeUndefined();
    for (;;) {
      await chat.sendMessage({ text: 'and now?' });
      // The run ends once its server notices.
      if (!chat.error) break;
      expect(JSON.parse(chat.error.message)).toMatchObject({ code: 'session_busy' });
      chat.messages = chat.messages.slice(0, -1);
    }
    expect(chat.text).toBe('Fine.');
  });

  it('is replayed from its first event while the run goes on, and stopped by the page', async () => {
    const barrier = new Barrier();
    const { url } = await apps.open({
      adapter,
      onDisconnect: 'continue',
      steps: [{ toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }] }, halting(barrier)],
    });
    const body = { id: 'main', messages: [question('hi')] };
    const first = await SseStream.open(`${url}/agent/ai-sdk`, { headers: as('alice'), body });
    await barrier.reached;
    first.drop();
    const calls: string[] = [];
    const chat = new Chat(url, {
      user: 'alice',
      id: 'main',
      messages: await historyOf(url, 'main'),
      onToolCall: ({ toolCall }) => void calls.push(toolCall.toolName),
    });
    const resuming = chat.resumeStream();
    while (chat.messages.length < 2 || chat.text !== 'Hel') {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const stopped = await request(url).delete('/agent/ai-sdk/main/stream').set(as('alice'));
    expect(stopped.status).toBe(204);
    await resuming;
    expect({ status: chat.status, text: chat.text, calls }).toEqual({
      status: 'ready',
      text: 'Hel',
      calls: [],
    });
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect((await get(url)).status).toBe(204);
    const history = await historyOf(url, 'main');
    expect(history[1]).toMatchObject({ id: chat.answer.id });
  });

  it('is replayed after an approval without asking again', async () => {
    const barrier = new Barrier();
    const { url } = await apps.open({
      adapter,
      onDisconnect: 'continue',
      steps: [
        { toolCalls: [{ name: 'remove_file', input: { name: 'a' } }, { name: 'page_title' }] },
        halting(barrier),
      ],
    });
    const page = new Chat(url, {
      user: 'alice',
      id: 'main',
      body: { frontendTools: [PAGE_TITLE] },
    });
    await page.sendMessage({ text: 'tidy up' });
    await page.addToolOutput({
      tool: 'page_title',
      toolCallId: 'call_2',
      output: 'Orders',
    });
    const approving = page.decide('call_1', true);
    await barrier.reached;
    const calls: string[] = [];
    const chat = new Chat(url, {
      user: 'alice',
      id: 'main',
      messages: await historyOf(url, 'main'),
      onToolCall: ({ toolCall }) => void calls.push(toolCall.toolName),
    });
    const stream = await get(url);
    const resuming = chat.resumeStream();
    while (chat.text !== 'Hel') await new Promise((resolve) => setImmediate(resolve));
    barrier.open();
    await Promise.all([approving, resuming]);
    const types = typesOf(await chunksIn(await allOf(stream)));
    expect(types).not.toContain('tool-approval-request');
    expect(types.filter((type) => type === 'finish')).toHaveLength(1);
    expect(chat.call('call_1')).toMatchObject({ state: 'output-available', output: 'removed a' });
    expect(chat.call('call_2')).toMatchObject({ state: 'output-available', output: 'Orders' });
    expect({ text: chat.text, calls, posts: chat.posts }).toEqual({
      text: 'Hello.',
      calls: [],
      posts: [],
    });
    expect(removed).toEqual(['a']);
    expect(chat.messages.map(({ id }) => id)).toEqual(page.messages.map(({ id }) => id));
  });
});
