import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf, post, question } from './front-ends/ai-sdk/wire';
import { ADAPTERS, Closers } from './http/agent-app';

describe.each(ADAPTERS)('useChat and a conversation on %s', (adapter) => {
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
});

describe('the chunks of', () => {
  const apps = new Closers();
  afterEach(() => apps.close());
  const typesOf = (chunks: readonly { readonly type: string }[]) => chunks.map(({ type }) => type);

  it('a text', async () => {
    const { url } = await apps.open({ steps: [{ text: ['Hel', 'lo.'] }] });
    const chunks = await post(url, { id: 'main', messages: [question('hi')] });
    expect(typesOf(chunks)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
  });
});
