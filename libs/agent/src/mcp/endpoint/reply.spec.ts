import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TakenResponse } from '../../http/wire';
import { Reply } from './reply';

const RESULT = { jsonrpc: '2.0', id: 1, result: {} };

describe('the answer to an MCP request', () => {
  const server = createServer();
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());
  beforeEach(() =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }),
  );
  afterEach(() => jest.useRealTimers());

  /** A reply whose call has begun, and the client's response once its head has come. */
  async function begun(mayStream: boolean) {
    const { port } = server.address() as AddressInfo;
    const asked = get({ port, host: '127.0.0.1', agent: false });
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    const [request, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
    const reply = new Reply(new TakenResponse(request, raw), mayStream);
    reply.openLater();
    return { reply, answered, raw };
  }

  async function textOf(response: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    return text;
  }

  it('is JSON within ten seconds', async () => {
    const { reply, answered } = await begun(true);
    jest.advanceTimersByTime(9_999);
    reply.finish(200, RESULT);
    const [response] = await answered;

    expect(response.headers['content-type']).toContain('application/json');
    expect(JSON.parse(await textOf(response))).toEqual(RESULT);
  });

  it('is a stream after ten seconds, with a comment each 15 s and without event ids', async () => {
    const { reply, answered } = await begun(true);
    jest.advanceTimersByTime(10_000);
    const [response] = await answered;
    jest.advanceTimersByTime(30_000);
    reply.finish(200, RESULT);

    expect(response.headers).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream') as unknown,
      'cache-control': expect.stringContaining('no-transform') as unknown,
      'x-accel-buffering': 'no',
    });
    const frames = (await textOf(response)).split('\n\n').filter((frame) => frame !== '');
    expect(frames.map((frame) => frame.startsWith(':'))).toEqual([true, true, false]);
    expect(frames.at(-1)).toBe(`event: message\ndata: ${JSON.stringify(RESULT)}`);
  });

  it('has no half of a surrogate pair, in JSON and in a stream', async () => {
    const cut = { ...RESULT, result: { '\ud83d': 'half \ud83d', whole: '\u{1f600} \\ud83d' } };
    const sound = { '\ufffd': 'half \ufffd', whole: '\u{1f600} \\ud83d' };
    for (const opens of [false, true]) {
      const { reply, answered } = await begun(true);
      if (opens) reply.open();
      reply.finish(200, cut);
      const text = await textOf((await answered)[0]);

      expect(JSON.parse(text.replace(/^.*?data: /s, ''))).toEqual({ ...RESULT, result: sound });
    }
  });

  it('drops messages for a client that reads nothing, and disconnects it after a minute', async () => {
    const { reply, answered, raw } = await begun(true);
    reply.open();
    const [response] = await answered;
    response.on('error', () => undefined);
    const notification = { method: 'notifications/message', params: { data: 'x'.repeat(100_000) } };
    for (let count = 0; count < 500; count += 1) {
      reply.send(notification);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(raw.writableLength).toBeGreaterThan(0);
    expect(raw.writableLength).toBeLessThan(1_000_000);
    const closed = once(raw, 'close');
    jest.advanceTimersByTime(60_000);
    await closed;
  });

  it('stays JSON, however late, for a client that accepts no streams', async () => {
    const { reply, answered } = await begun(false);
    jest.advanceTimersByTime(60_000);
    reply.finish(200, RESULT);
    const [response] = await answered;

    expect(response.headers['content-type']).toContain('application/json');
    expect(JSON.parse(await textOf(response))).toEqual(RESULT);
  });
});
