import type { UIMessage } from 'ai';
import request from 'supertest';
import { Chat } from './front-ends/ai-sdk/chat';
import { historyOf, post, question } from './front-ends/ai-sdk/wire';
import { ADAPTERS, Closers, removed } from './http/agent-app';
import { as } from './http/every-endpoint';
import { compressAll, wraps } from './http/surroundings';

const MIB = 1_048_576;
const remove = { toolCalls: [{ name: 'remove_file', input: { name: 'a' } }] };

describe.each(ADAPTERS)('useChat in an application on %s', (adapter) => {
  const apps = new Closers();
  beforeEach(() => removed.splice(0));
  afterEach(() => apps.close());

  it('works behind a prefix, compression, CORS and an interceptor that wraps answers', async () => {
    const { url } = await apps.open({
      adapter,
      path: 'assistant',
      steps: [remove, 'Gone.'],
      prepare: async (app) => {
        app.setGlobalPrefix('api');
        app.enableCors({ origin: 'http://shop.example', credentials: true });
        app.useGlobalInterceptors(wraps);
        await compressAll(app);
      },
    });
    const path = '/api/assistant/ai-sdk';
    const chat = new Chat(url, { user: 'alice', id: 'main', path });
    await chat.sendMessage({ text: 'tidy up' });
    await chat.decide('call_1', true);
    expect(chat.error).toBeUndefined();
    expect({ removed, text: chat.text }).toEqual({ removed: ['a'], text: 'Gone.' });
    const history = await request(url)
      .get(`${path}/main/messages`)
      .set({ ...as('alice'), origin: 'http://shop.example' });
    expect(history.body).toHaveLength(2);
    expect(history.headers['access-control-allow-origin']).toBe('http://shop.example');
    const preflight = await request(url)
      .options(path)
      .set({ origin: 'http://shop.example', 'access-control-request-method': 'POST' });
    expect(preflight.status).toBe(204);
  });

  it('takes 4 MiB of what the client remembers, and attachments beside it', async () => {
    const { url } = await apps.open({ adapter, steps: ['One.', 'Two.', 'Three.'] });
    await post(url, { id: 'main', messages: [question('a')] });
    const [asked, answer] = await historyOf(url, 'main');
    const remembered = (size: number, more: readonly object[] = []): unknown[] => {
      const part = {
        type: 'tool-x',
        toolCallId: 'x',
        state: 'output-available',
        output: 'o'.repeat(size),
      };
      return [asked, { ...answer, parts: [part, ...more] }, question('b', `u${size}`)];
    };
    const send = (messages: readonly unknown[]) =>
      request(url).post('/agent/ai-sdk').set(as('alice')).send({ id: 'main', messages });
    expect((await send(remembered(4 * MIB - 10_000))).status).toBe(200);
    const large = await send(remembered(4 * MIB + 10));
    expect(large.body).toMatchObject({ statusCode: 413, code: 'body_too_large' });
    const url8 = `data:image/png;base64,${'A'.repeat(8 * MIB)}`;
    const picture = { type: 'file', mediaType: 'image/png', url: url8 };
    expect((await send(remembered(1_000, [picture]))).status).toBe(200);
  });

  it('is not served where protocols.aiSdk is false', async () => {
    const { url } = await apps.open({ adapter, protocols: { aiSdk: false } });
    const body = { id: 'main', messages: [question('hi')] };
    expect((await request(url).post('/agent/ai-sdk').send(body)).status).toBe(404);
    for (const path of ['messages', 'stream']) {
      expect((await request(url).get(`/agent/ai-sdk/main/${path}`)).status).toBe(404);
    }
    expect((await request(url).delete('/agent/ai-sdk/main/stream')).status).toBe(404);
  });

  it("shares its chats with the agent's own endpoints", async () => {
    const { url } = await apps.open({ adapter, steps: [remove, 'Gone.', 'Welcome.'] });
    const asked = await request(url).post('/agent/chat').set(as('alice')).send({ message: 'tidy' });
    const { sessionId: id } = asked.body as { sessionId: string };
    const messages: UIMessage[] = await historyOf(url, id);
    const chat = new Chat(url, { user: 'alice', id, messages });
    await chat.decide('call_1', true);
    expect({ removed, text: chat.text }).toEqual({ removed: ['a'], text: 'Gone.' });
    const more = { message: 'thanks', sessionId: id };
    await request(url).post('/agent/chat').set(as('alice')).send(more);
    expect(await historyOf(url, id)).toHaveLength(4);
    const sessions = await request(url).get('/agent/sessions').set(as('alice'));
    expect(sessions.body).toEqual([expect.objectContaining({ sessionId: id, title: 'tidy' })]);
  });

  it('refuses a form of another site', async () => {
    const { url } = await apps.open({ adapter });
    const answer = await request(url)
      .post('/agent/ai-sdk')
      .set('content-type', 'text/plain')
      .send(JSON.stringify({ id: 'main', messages: [question('hi')] }));
    expect(answer.body).toMatchObject({ statusCode: 415, code: 'unsupported_media_type' });
  });
});
