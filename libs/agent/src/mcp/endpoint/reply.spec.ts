import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
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
    const [request, response] = (await once(server, 'request')) as [unknown, unknown];
    const reply = new Reply(new TakenResponse(request, response), mayStream);
    reply.openLater();
    return { reply, answered };
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

  it('stays JSON, however late, for a client that accepts no streams', async () => {
    const { reply, answered } = await begun(false);
    jest.advanceTimersByTime(60_000);
    reply.finish(200, RESULT);
    const [response] = await answered;

    expect(response.headers['content-type']).toContain('application/json');
    expect(JSON.parse(await textOf(response))).toEqual(RESULT);
  });
});
