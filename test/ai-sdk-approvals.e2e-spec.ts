import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf } from './front-ends/ai-sdk/wire';
import { Closers, ON_FASTIFY, PAGE_TITLE, removed } from './http/agent-app';

const remove = (name: string) => ({ name: 'remove_file', input: { name } });
const body = { frontendTools: [PAGE_TITLE] };

describe.each(ON_FASTIFY)('useChat and what a run waits for on %s', (adapter) => {
  const apps = new Closers();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());

  it('approves a call, in one request of its own', async () => {
    const { url } = await apps.open({ adapter, steps: [{ toolCalls: [remove('a')] }, 'Gone.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'tidy up' });
    expect(chat.call('call_1')).toMatchObject({
      type: 'tool-remove_file',
      state: 'approval-requested',
      input: { name: 'a' },
      approval: {
        id: 'call_1',
        descriptor: {
          reason: '"remove_file" changes something and runs only with your approval.',
          expiresAt: expect.stringMatching(/^\d{4}-/),
        },
      },
    });
    expect(chat.call('call_1').providerExecuted).toBeUndefined();
    expect(chat.posts).toHaveLength(1);
    const { id } = chat.answer;
    await chat.decide('call_1', true);
    expect(removed).toEqual(['a']);
    expect(chat.call('call_1')).toMatchObject({ state: 'output-available', output: 'removed a' });
    expect(chat.text).toBe('Gone.');
    // One bubble, one request more.
    expect(chat.messages.map((message) => message.id)).toEqual([expect.any(String), id]);
    expect(chat.posts.map(({ status }) => status)).toEqual([200, 200]);
    expect(chat.error).toBeUndefined();
  });

  it('declines a call, with the reason', async () => {
    const { url, model } = await apps.open({
      adapter,
      steps: [{ toolCalls: [remove('a')] }, 'As you wish.'],
    });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'tidy up' });
    await chat.decide('call_1', false, 'I need it.');
    expect(removed).toEqual([]);
    expect(chat.call('call_1').state).toBe('output-denied');
    expect(chat.text).toBe('As you wish.');
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('I need it.');
    const [, answer] = await historyOf(url, 'main');
    expect(answer?.parts[1]).toMatchObject({
      state: 'output-denied',
      approval: { id: 'call_1', approved: false },
    });
  });

  it('answers two approvals together, and one of them alone', async () => {
    const both = { toolCalls: [remove('a'), remove('b')] };
    const { url } = await apps.open({ adapter, steps: [both, 'Gone.', both, 'Half.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'tidy up' });
    await chat.decide('call_1', true);
    expect(chat.posts).toHaveLength(1);
    await chat.decide('call_2', true);
    expect({ removed, posts: chat.posts.length }).toEqual({ removed: ['a', 'b'], posts: 2 });
    expect(chat.text).toBe('Gone.');

    removed.splice(0);
    await chat.sendMessage({ text: 'again' });
    await chat.decide('call_3', false);
    // The page may send what it has: the run waits for the other.
    await chat.sendMessage();
    expect(chat.error).toBeUndefined();
    expect(chat.call('call_3').state).toBe('output-denied');
    expect(chat.call('call_4').state).toBe('approval-requested');
    const reloaded = new Chat(url, {
      user: 'alice',
      id: 'main',
      messages: await historyOf(url, 'main'),
    });
    expect(reloaded.call('call_4').state).toBe('approval-requested');
    await chat.decide('call_4', true);
    await chat.sendMessage();
    expect(removed).toEqual(['b']);
    expect(chat.text).toBe('Half.');
  });

  it('keeps an approval that waits for another one over a reload', async () => {
    const both = { toolCalls: [remove('a'), remove('b')] };
    const { url } = await apps.open({ adapter, steps: [both, 'Gone.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'tidy up' });
    await chat.decide('call_1', true);
    await chat.sendMessage();
    expect(removed).toEqual([]);
    const messages = await historyOf(url, 'main');
    const reloaded = new Chat(url, { user: 'alice', id: 'main', messages });
    expect(reloaded.call('call_1')).toMatchObject({
      state: 'approval-responded',
      approval: { id: 'call_1', approved: true },
    });
    await reloaded.decide('call_2', true);
    expect(removed.toSorted()).toEqual(['a', 'b']);
    expect(reloaded.posts).toHaveLength(1);
    expect(reloaded.text).toBe('Gone.');
  });

  it('runs a tool in the page, and tells its result and its error', async () => {
    const asks = { toolCalls: [{ name: 'page_title' }] };
    const { url, model } = await apps.open({ adapter, steps: [asks, 'Orders.', asks, 'Hm.'] });
    const calls: string[] = [];
    const chat: Chat = new Chat(url, {
      user: 'alice',
      id: 'main',
      body,
      onToolCall: ({ toolCall }) => {
        if (toolCall.toolName !== 'page_title') return;
        calls.push(toolCall.toolCallId);
        const { toolCallId } = toolCall;
        const answer = calls.length === 1 ? { output: { title: 'Orders' } } : failed('No page.');
        void chat.addToolOutput({ tool: 'page_title', toolCallId, ...answer } as never);
      },
    });
    await chat.sendMessage({ text: 'where am I?' });
    await chat.settled();
    expect(chat.text).toBe('Orders.');
    expect(chat.call('call_1')).toMatchObject({
      state: 'output-available',
      output: { title: 'Orders' },
    });
    expect(chat.call('call_1').providerExecuted).toBeUndefined();
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('Orders');
    // The page's tools are offered on the continuation too.
    expect(model.requests[1]?.tools.map(({ name }) => name)).toContain('page_title');
    await chat.sendMessage({ text: 'and now?' });
    await chat.settled();
    expect(chat.call('call_2')).toMatchObject({ state: 'output-error', errorText: 'No page.' });
    expect(chat.text).toBe('Hm.');
    expect(calls).toEqual(['call_1', 'call_2']);
    expect(chat.posts.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await historyOf(url, 'main');
  });

  it('sends all three kinds of one step in one request more, without a loop', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        {
          toolCalls: [{ name: 'add', input: { a: 1, b: 2 } }, { name: 'page_title' }, remove('a')],
        },
        'All done.',
      ],
    });
    const chat: Chat = new Chat(url, { user: 'alice', id: 'main', body });
    await chat.sendMessage({ text: 'go' });
    expect(chat.call('call_1')).toMatchObject({ state: 'output-available', output: '3' });
    expect(chat.call('call_2').state).toBe('input-available');
    await chat.deliver('call_2', 'page_title', 'Orders');
    expect(chat.posts).toHaveLength(1);
    await chat.decide('call_3', true);
    expect(chat.posts).toHaveLength(2);
    expect({ removed, text: chat.text }).toEqual({ removed: ['a'], text: 'All done.' });
    expect(chat.error).toBeUndefined();
  });

  it("asks the server's and the page's tools by names with hyphens", async () => {
    const { url } = await apps.open({
      adapter,
      steps: [
        ({ tools }) => ({
          toolCalls: [{ name: tools.find(({ name }) => name.startsWith('page_t'))?.name ?? '' }],
        }),
        'Orders.',
      ],
    });
    const tools = { 'page-title': { description: 'The title', parameters: { type: 'object' } } };
    const chat: Chat = new Chat(url, { user: 'alice', id: 'main', body: { tools } });
    await chat.sendMessage({ text: 'where am I?' });
    expect(chat.call('call_1')).toMatchObject({
      type: 'tool-page-title',
      state: 'input-available',
    });
    await chat.deliver('call_1', 'page-title', 'Orders');
    expect(chat.text).toBe('Orders.');
    expect(chat.posts).toHaveLength(2);
  });

  it('ends at max_steps with words of its own, and without a request more', async () => {
    const { url } = await apps.open({
      adapter,
      maxSteps: 1,
      steps: [{ toolCalls: [{ name: 'page_title' }, remove('a')] }],
    });
    const reasons: (string | undefined)[] = [];
    const chat = new Chat(url, {
      user: 'alice',
      id: 'main',
      body,
      onFinish: ({ finishReason }) => void reasons.push(finishReason),
    });
    await chat.sendMessage({ text: 'where am I?' });
    await chat.deliver('call_1', 'page_title', 'Orders');
    await chat.decide('call_2', true);
    expect(chat.posts.map(({ status }) => status)).toEqual([200, 200]);
    expect(removed).toEqual(['a']);
    expect(chat.text).toMatch(/\w/);
    expect(chat.answer.metadata).toMatchObject({ status: 'completed', stopReason: 'max_steps' });
    expect(reasons).toEqual(['tool-calls', 'other']);
    const [, answer] = await historyOf(url, 'main');
    expect(answer?.parts.at(-1)).toMatchObject({ type: 'text', text: chat.text });
  });

  it('approves after a reload, on the page that loaded the history', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [{ toolCalls: [remove('a'), { name: 'page_title' }] }, 'Gone.'],
    });
    await new Chat(url, { user: 'alice', id: 'main', body }).sendMessage({ text: 'tidy up' });
    const messages = await historyOf(url, 'main');
    const chat = new Chat(url, { user: 'alice', id: 'main', body, messages });
    await chat.resumeStream();
    expect(chat.status).toBe('ready');
    expect(chat.call('call_1')).toMatchObject({
      state: 'approval-requested',
      approval: { id: 'call_1', descriptor: { reason: expect.stringContaining('remove_file') } },
    });
    expect(chat.call('call_2').state).toBe('input-available');
    await chat.deliver('call_2', 'page_title', 'Orders');
    await chat.decide('call_1', true);
    expect(removed).toEqual(['a']);
    expect(chat.text).toBe('Gone.');
    expect(chat.messages.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
  });

  it('declines what waits when the user says something else', async () => {
    const { url } = await apps.open({
      adapter,
      steps: [{ toolCalls: [remove('a')] }, 'Very well.'],
    });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'tidy up' });
    await chat.sendMessage({ text: 'no, wait' });
    expect(chat.text).toBe('Very well.');
    const history = await historyOf(url, 'main');
    expect(history[1]?.parts[1]).toMatchObject({ state: 'output-denied' });
    // The other page still has its buttons.
    const [asked, waiting] = chat.messages;
    const stale = new Chat(url, {
      user: 'alice',
      id: 'main',
      messages: [asked, waiting].flatMap((each) => each ?? []),
    });
    await stale.decide('call_1', true);
    expect(JSON.parse(stale.error?.message ?? '')).toMatchObject({
      statusCode: 409,
      code: 'not_pending',
    });
    expect(removed).toEqual([]);
  });
});

function failed(errorText: string): object {
  return { state: 'output-error', errorText };
}
