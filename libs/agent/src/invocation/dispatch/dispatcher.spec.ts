import { once } from 'node:events';
import { buffer, text as readText } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { ClsServiceManager } from 'nestjs-cls';
import type { Dispatcher, RouteRequest } from './dispatcher';
import {
  type AdapterName,
  type ContractApplication,
  dispatcherTo,
  startApplication,
  type TransportName,
} from './fixtures/contract-application';
import { BINARY, callerStore, connections, LARGE } from './fixtures/contract.controller';

const CALLER = { remoteAddress: '203.0.113.7', isEncrypted: false };

const cases: readonly [AdapterName, TransportName][] = [
  ['express', 'in-process'],
  ['express', 'listening'],
  ['fastify', 'in-process'],
  ['fastify', 'listening'],
];

describe.each(cases)('a route call on %s, %s', (adapter, transport) => {
  let app: ContractApplication;
  let dispatcher: Dispatcher;

  beforeAll(async () => {
    app = await startApplication(adapter);
    dispatcher = await dispatcherTo(app, transport);
  });

  afterAll(async () => {
    await dispatcher.close();
    await app.close();
  });

  const send = (
    path: string,
    request: Partial<RouteRequest> = {},
    signal = new AbortController().signal,
  ) =>
    dispatcher.dispatch(
      {
        method: 'GET',
        path: `/contract/${path}`,
        ...request,
        headers: { host: 'localhost', ...request.headers },
      },
      CALLER,
      signal,
    );

  const post = (path: string, body: string) =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

  const jsonOf = async (path: string, request?: Partial<RouteRequest>): Promise<unknown> => {
    const { body } = await send(path, request);
    return JSON.parse(await readText(body));
  };

  it('brings JSON back', async () => {
    const { status, headers, body } = await send('json');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(await readText(body))).toEqual({ text: 'grüße', list: [1, null, true] });
  });

  it('brings text back', async () => {
    const { headers, body } = await send('text');
    expect(await readText(body)).toBe('plain');
    expect(headers['content-type']).toMatch(/^text\//);
  });

  it.each([
    ['empty', 'GET', 200],
    ['no-content', 'POST', 204],
    ['not-modified', 'GET', 304],
    ['json', 'HEAD', 200],
  ])('brings no body back from %s by %s', async (path, method, expected) => {
    const { status, body } = await send(path, { method });
    expect(status).toBe(expected);
    expect(await readText(body)).toBe('');
  });

  it('hands the headers to the handler as they are', async () => {
    const headers = {
      authorization: 'Bearer abc',
      cookie: 'a=1; b=2',
      'x-request-id': 'r-1',
      'accept-language': 'de, en;q=0.5',
      'x-latin': 'café',
    };
    expect(await jsonOf('headers', { headers })).toMatchObject(headers);
  });

  it('asks for no compression of its own accord', async () => {
    expect(await jsonOf('headers')).not.toHaveProperty('accept-encoding');
  });

  it('brings several cookies and other headers back', async () => {
    const { headers, body } = await send('cookies');
    expect(headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; HttpOnly']);
    expect(headers['x-answer']).toBe('42');
    expect(JSON.parse(await readText(body))).toEqual({ ok: true });
  });

  it('serves a handler that answers by @Res() alone', async () => {
    const { headers, body } = await send('res');
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(await readText(body)).toBe('a,b\n1,2\n');
  });

  it('brings a StreamableFile back', async () => {
    const { headers, body } = await send('file');
    expect(headers['content-type']).toBe('application/pdf');
    expect(headers['content-disposition']).toBe('attachment; filename="report.pdf"');
    expect(await buffer(body)).toEqual(BINARY);
  });

  it('brings binary bodies back untouched', async () => {
    expect(await buffer((await send('binary')).body)).toEqual(BINARY);
  });

  it('brings a large body back whole', async () => {
    expect(await jsonOf('large')).toEqual(LARGE);
  });

  it('brings a chunked body back, without its chunks', async () => {
    const { headers, body } = await send('chunked');
    const lines = Array.from({ length: 20 }, (_, part) => `part ${part}\n`);
    expect(await readText(body)).toBe(`${lines.join('')}end`);
    expect(headers['content-length']).toBeUndefined();
  });

  it('understands a head that the handler wrote raw', async () => {
    const { status, headers, body } = await send('raw-head');
    expect(status).toBe(203);
    expect(headers['x-raw']).toBe('yes');
    expect(await readText(body)).toBe('ok');
  });

  it('passes over early hints', async () => {
    const { status, body } = await send('early-hints');
    expect(status).toBe(200);
    expect(await readText(body)).toBe('after hints');
  });

  it('leaves compressed bodies compressed', async () => {
    const { headers, body } = await send('gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(await buffer(body)).toString())).toEqual({ compressed: true });
  });

  it.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
  ])('brings a body back that a middleware compressed by %s', async (encoding, decompress) => {
    const { headers, body } = await send('large', { headers: { 'accept-encoding': encoding } });
    expect(headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(decompress(await buffer(body)).toString())).toEqual(LARGE);
  });

  it('is not compressed by a middleware unless it asks', async () => {
    const { headers, body } = await send('large');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(await readText(body))).toEqual(LARGE);
  });

  it('shows an abort to a middleware that compresses', async () => {
    const controller = new AbortController();
    const closed = once(connections, 'closed');
    const headers = { 'accept-encoding': 'gzip' };
    const { body } = await send('endless', { headers }, controller.signal);
    const read = readText(body);
    controller.abort();
    await expect(read).rejects.toThrow();
    expect(await closed).toEqual([false]);
  });

  it('sends a JSON body with its length, readable raw', async () => {
    const body = JSON.stringify({ name: 'grüße', list: [1, 2] });
    const response = await post('echo', body);
    expect(response.status).toBe(201);
    expect(JSON.parse(await readText(response.body))).toEqual({
      body: JSON.parse(body),
      raw: body,
      length: String(Buffer.byteLength(body)),
      chunked: null,
    });
  });

  it('sends a body of many kilobytes', async () => {
    const body = JSON.stringify({ text: 'ä'.repeat(40_000) });
    const response = await post('echo', body);
    expect(JSON.parse(await readText(response.body))).toMatchObject({ raw: body });
  });

  it('meets the limit on bodies', async () => {
    const response = await post('echo', JSON.stringify({ text: 'x'.repeat(1_100_000) }));
    expect(response.status).toBe(413);
    await readText(response.body);
  });

  it('is told of malformed JSON', async () => {
    const response = await post('echo', '{"a":');
    expect(response.status).toBe(400);
    await readText(response.body);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('uses the method %s', async (method) => {
    expect(await jsonOf('method', { method })).toEqual({ method });
  });

  it('hands path and query to the router as they are', async () => {
    const path = 'items/a%2Fb%20c%3F?q=1&q=2&empty=';
    expect(await jsonOf(path)).toEqual({ id: 'a/b c?', query: { q: ['1', '2'], empty: '' } });
  });

  it('lets the exception layer answer', async () => {
    const missing = await send('missing');
    expect(missing.status).toBe(404);
    expect(JSON.parse(await readText(missing.body))).toMatchObject({
      message: 'There is no such thing',
    });
    const broken = await send('broken');
    expect(broken.status).toBe(500);
    expect(await readText(broken.body)).not.toContain('SELECT');
  });

  it('lets the 404 handler answer for what no route serves', async () => {
    const { status, body } = await send('nowhere');
    expect(status).toBe(404);
    expect(await readText(body)).toContain('Cannot GET /contract/nowhere');
  });

  it('fails while reading a body that breaks off', async () => {
    const { body } = await send('breaks-off');
    await expect(readText(body)).rejects.toThrow();
  });

  it('fails where the handler hangs up', async () => {
    await expect(send('refuses')).rejects.toThrow();
  });

  it('tells a handler when nothing has been written for the time it set', async () => {
    expect(await readText((await send('times-out')).body)).toBe('after a while');
    expect(await readText((await send('waits-no-more')).body)).toBe('object');
    await expect(send('gives-up')).rejects.toThrow();
  });

  it('shows an abort to a handler that never answers', async () => {
    const controller = new AbortController();
    const hanging = once(connections, 'hanging');
    const closed = once(connections, 'closed');
    const response = send('hangs', {}, controller.signal);
    const outcome = expect(response).rejects.toMatchObject({ name: 'AbortError' });
    await hanging;
    callerStore.run('the one who stops it', () => controller.abort());
    await outcome;
    expect(await closed).toEqual([false, 'none']);
  });

  it('does not begin once aborted', async () => {
    await expect(send('hangs', {}, AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('shows an abort in mid-body to the handler', async () => {
    const controller = new AbortController();
    const closed = once(connections, 'closed');
    const { body } = await send('endless', {}, controller.signal);
    const read = readText(body);
    controller.abort();
    await expect(read).rejects.toThrow();
    expect(await closed).toEqual([false]);
  });

  it('stops a handler whose reader has had enough', async () => {
    const closed = once(connections, 'closed');
    const { body } = await send('endless');
    for await (const chunk of body) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect(await closed).toEqual([false]);
  });

  it('starts in no async context but what middleware makes', async () => {
    const seen = await callerStore.run('the chat request', () => jsonOf('store'));
    expect(seen).toEqual({ request: '/contract/store', caller: null });
  });

  it('goes on in no async context of its reader where a large body is read', async () => {
    const read = await callerStore.run('the chat request', async () =>
      readText((await send('drained')).body),
    );
    expect(read.trim()).toBe('none');
  });

  it('has a store of nestjs-cls of its own, whatever the caller’s holds', async () => {
    interface Seen {
      readonly id: string;
    }
    const ask = (n: number) => jsonOf(`cls/${n}`) as Promise<Seen>;
    const cls = ClsServiceManager.getClsService();
    const seen = await cls.run(() => {
      cls.set('caller', 'the chat request');
      return Promise.all(Array.from({ length: 50 }, (_, n) => ask(n)));
    });
    const ids = seen.map(({ id }) => id);
    expect(new Set(ids).size).toBe(50);
    expect(seen).toEqual(
      ids.map((id, n) => ({ id, path: `/contract/cls/${n}`, n: String(n), caller: null })),
    );
  });

  it('answers many at once, each its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, id) => jsonOf(`items/${id}?n=${id}`)),
    );
    expect(answers).toEqual(answers.map((_, id) => ({ id: String(id), query: { n: String(id) } })));
  });
});
