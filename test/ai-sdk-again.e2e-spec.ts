import type { Message } from 'nestjs-agent';
import request from 'supertest';
import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf, post, question } from './front-ends/ai-sdk/wire';
import { Closers, ON_EXPRESS, removed } from './http/agent-app';
import { as } from './http/every-endpoint';

const textsOf = (messages: readonly Message[] | undefined) =>
  messages?.flatMap(({ content }) => content.map((block) => (block as { text?: string }).text));
const partsIn = (messages: readonly { readonly parts: readonly object[] }[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])));

describe.each(ON_EXPRESS)('useChat and another answer on %s', (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  it('regenerates the last answer, again and again', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Three.', 'Four.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'a' });
    await chat.sendMessage({ text: 'b' });
    await chat.regenerate();
    await chat.regenerate();
    expect(chat.error).toBeUndefined();
    expect(partsIn(chat.messages)).toEqual(['a', 'One.', 'b', 'Four.']);
    expect(textsOf(model.requests[3]?.messages)).toEqual(['a', 'One.', 'b']);
    expect(partsIn(await historyOf(url, 'main'))).toEqual(['a', 'One.', 'b', 'Four.']);
  });

  it('regenerates an earlier answer by its id, with what came after it gone', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Other.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'a' });
    const first = chat.answer.id;
    await chat.sendMessage({ text: 'b' });
    await chat.regenerate({ messageId: first });
    expect(textsOf(model.requests[2]?.messages)).toEqual(['a']);
    expect(partsIn(await historyOf(url, 'main'))).toEqual(['a', 'Other.']);
  });

  it('edits an earlier message', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Other.', 'More.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'a' });
    await chat.sendMessage({ text: 'b' });
    const messageId = chat.messages[0]?.id ?? '';
    await chat.sendMessage({ text: 'A!', messageId });
    expect(textsOf(model.requests[2]?.messages)).toEqual(['A!']);
    await chat.sendMessage({ text: 'A!!', messageId });
    expect(chat.error).toBeUndefined();
    expect(partsIn(await historyOf(url, 'main'))).toEqual(['A!!', 'More.']);
  });

  it('regenerates an answer that waits: its approval is worth nothing then', async () => {
    const asks = { toolCalls: [{ name: 'remove_file', input: { name: 'a' } }] };
    const { url } = await apps.open({ adapter, steps: [asks, 'Better not.'] });
    removed.splice(0);
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'tidy up' });
    const stale = new Chat(url, { user: 'alice', id: 'main', messages: [...chat.messages] });
    await chat.regenerate();
    expect(chat.text).toBe('Better not.');
    expect(partsIn(await historyOf(url, 'main'))).toEqual(['tidy up', 'Better not.']);
    await stale.decide('call_1', true);
    expect(JSON.parse(stale.error?.message ?? '')).toMatchObject({ code: 'not_pending' });
    expect(removed).toEqual([]);
  });

  it('does the same with a history that was loaded, where the server named the messages', async () => {
    const { url } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    const { body } = await request(url).post('/agent/chat').set(as('alice')).send({ message: 'a' });
    const { sessionId: id } = body as { sessionId: string };
    const chat = new Chat(url, { user: 'alice', id, messages: await historyOf(url, id) });
    await chat.regenerate();
    await chat.regenerate();
    expect(chat.error).toBeUndefined();
    expect(partsIn(await historyOf(url, id))).toEqual(['a', 'Three.']);
    expect(await historyOf(url, id)).toEqual([
      expect.objectContaining({ id: chat.messages[0]?.id }),
      expect.objectContaining({ id: chat.messages[1]?.id }),
    ]);
  });

  it('only appends from a tab that is behind', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    const chat = new Chat(url, { user: 'alice', id: 'main' });
    await chat.sendMessage({ text: 'a' });
    const stale = new Chat(url, { user: 'alice', id: 'main', messages: [...chat.messages] });
    await chat.sendMessage({ text: 'b' });
    await stale.sendMessage({ text: 'c' });
    expect(stale.text).toBe('Three.');
    expect(textsOf(model.requests[2]?.messages)).toEqual(['a', 'One.', 'b', 'Two.', 'c']);
    expect(partsIn(await historyOf(url, 'main'))).toHaveLength(6);
  });

  it('says a message once: one that is stored is answered with its own answer', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    const first = { id: 'main', messages: [question('a')] };
    const chunks = await post(url, first);
    // Parts carry the numbers of their events, so both streams are equal.
    expect(await post(url, first)).toEqual(chunks);
    expect(model.requests).toHaveLength(1);
    await post(url, { id: 'main', messages: [question('a'), question('b', 'u2')] });
    expect(textsOf(model.requests[1]?.messages)).toEqual(['a', 'One.', 'b']);
    // A client that numbers its messages anew sends a different message.
    await post(url, { id: 'main', messages: [question('c')] });
    expect(textsOf(model.requests[2]?.messages)).toEqual(['a', 'One.', 'b', 'Two.', 'c']);
  });

  it('says all that was not said yet', async () => {
    const { url, model } = await apps.open({ adapter, steps: ['Both.'] });
    await post(url, { id: 'main', messages: [question('a'), question('b', 'u2')] });
    expect(textsOf(model.requests[0]?.messages)).toEqual(['a', 'b']);
  });
});
