import request from 'supertest';
import { ADAPTERS, Closers, type AgentAppOptions } from './http/agent-app';

const png = (size = 8): string =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(size - 8)]).toString(
    'base64',
  );
const inline = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;
const PICTURE = inline('image/png', png());

const picture = (url: string) => ({ type: 'image_url', image_url: { url } });
const file = (file_data: string) => ({ type: 'file', file: { filename: 'a', file_data } });

type Part = ReturnType<typeof picture> | ReturnType<typeof file>;

/** The same part, as `/chat` takes it. */
function ofChat(part: Part) {
  if ('file' in part) return { type: 'file', name: 'a', url: part.file.file_data };
  return { type: 'image', url: part.image_url.url };
}

describe.each(ADAPTERS)("attachments in OpenAI's protocol on %s", (adapter) => {
  const apps = new Closers();
  afterEach(() => apps.close());

  const serve = async (options: AgentAppOptions) => {
    const { url, model } = await apps.open({ adapter, seesAll: true, ...options });
    const complete = (messages: readonly object[], more: object = {}) =>
      request(url)
        .post('/agent/v1/chat/completions')
        .send({ model: 'agent', messages, ...more });
    const chat = (content: readonly object[]) => request(url).post('/agent/chat').send({ content });
    return { complete, chat, model };
  };

  it.each<[string, Part]>([
    ['an http: address', picture('http://127.0.0.1/latest/meta-data')],
    ['an HTTP: address', picture('HTTP://127.0.0.1/')],
    ['a file: address', picture('file:///etc/passwd')],
    ['a javascript: address', picture('javascript:alert(1)')],
    ['a host without a protocol', picture('//example.com/a.png')],
    ['an address of megabytes', picture(`https://example.com/${'a'.repeat(100_000)}`)],
    ['an empty address', picture('')],
    ['a type that is not accepted', picture(inline('image/svg+xml', png()))],
    ['bytes of another type', picture(inline('image/gif', png()))],
    ['a page that says it is a picture', picture(inline('image/png', btoa('<script></script>')))],
    ['a picture of a type that is none', picture(inline('text/html', btoa('<b>hi</b>')))],
    ['no base64', picture('data:image/png;base64,%%%%')],
    ['bytes that are not in base64', picture('data:image/png,abc')],
    ['no bytes', picture('data:image/png;base64,')],
    ['a file with a NUL that says it is text', file(inline('text/plain', btoa('a\0b')))],
    ['a file that is a program', file(inline('application/x-msdownload', btoa('MZ')))],
    ['a file that is no PDF', file(inline('application/pdf', btoa('<html>')))],
    ['a file at an address', file('http://127.0.0.1/a.pdf')],
    ['too large a picture', picture(inline('image/png', png(2_000)))],
    ['too large a text', file(inline('text/plain', btoa('a'.repeat(2_000))))],
  ])('refuses %s as /chat does, and names the part', async (_, part) => {
    const { complete, chat, model } = await serve({ limits: { attachments: { maxBytes: 1_000 } } });
    const refused = await chat([{ type: 'text', text: 'See' }, ofChat(part)]);
    const { statusCode, code } = refused.body as { statusCode: number; code: string };
    expect(code).toMatch(/^attachment_(refused|too_large)$/);
    const said = { role: 'user', content: [{ type: 'text', text: 'See' }, part] };
    const answer = await complete([{ role: 'system', content: 'Be brief.' }, said]);
    expect(answer.status).toBe(statusCode);
    const param = 'messages[1].content[1]';
    expect(answer.body).toEqual({
      error: { type: 'invalid_request_error', code, param, message: expect.any(String) },
    });
    expect((answer.body as { error: { message: string } }).error.message).toContain(param);
    expect(model.requests).toEqual([]);
  });

  it('refuses too many, and all where they are switched off', async () => {
    const two = await serve({ limits: { attachments: { maxCount: 1 } } });
    const many = { role: 'user', content: [picture(PICTURE), picture(PICTURE)] };
    const error = { code: 'attachment_refused', param: 'messages[0].content' };
    expect((await two.complete([many])).body).toMatchObject({ error });
    const none = await serve({ limits: { attachments: false } });
    for (const url of [PICTURE, 'https://example.com/a.png']) {
      const one = { role: 'user', content: [picture(url)] };
      expect((await none.complete([one])).body).toMatchObject({ error });
    }
    expect([two.model.requests, none.model.requests]).toEqual([[], []]);
  });

  it('refuses what an answer of a tool brings, also of a stream', async () => {
    const { complete, model } = await serve({});
    const calls = [{ id: 'c', type: 'function', function: { name: 'shot', arguments: '{}' } }];
    const answer = await complete(
      [
        { role: 'user', content: 'Look' },
        { role: 'assistant', tool_calls: calls },
        { role: 'tool', tool_call_id: 'c', content: [picture('http://127.0.0.1/')] },
      ],
      { stream: true },
    );
    expect(answer.status).toBe(400);
    const param = 'messages[2].content[0]';
    expect(answer.body).toMatchObject({ error: { code: 'attachment_refused', param } });
    expect(model.requests).toEqual([]);
  });

  it('takes an https: picture where any picture is accepted, whose type nobody says', async () => {
    const said = { role: 'user', content: [picture('https://example.com/a.png')] };
    const { complete, model } = await serve({ steps: ['A cat.'] });
    expect((await complete([said])).status).toBe(200);
    expect(model.requests[0]?.messages[0]?.content).toEqual([
      { type: 'image', url: 'https://example.com/a.png' },
    ]);
    const texts = await serve({ limits: { attachments: { mediaTypes: ['text/*'] } } });
    expect((await texts.complete([said])).body).toMatchObject({
      error: { code: 'attachment_refused', param: 'messages[0].content[0]' },
    });
  });
});
