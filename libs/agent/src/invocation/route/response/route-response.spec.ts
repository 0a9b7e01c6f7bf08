import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ToolResult } from '../../../tool';
import type { RouteResponse } from '../../dispatch';
import { readRouteResponse } from './route-response';

const MEGABYTE = 1024 * 1024;

interface Given {
  readonly status?: number;
  readonly headers?: RouteResponse['headers'];
  readonly method?: string;
  readonly isReadOnly?: boolean;
  readonly signal?: AbortSignal;
  readonly commit?: (result: ToolResult) => void;
}

function read(
  content: string | Buffer | Readable,
  {
    status = 200,
    headers = {},
    method = 'GET',
    isReadOnly = true,
    signal = new AbortController().signal,
    commit = () => undefined,
  }: Given = {},
) {
  const body = content instanceof Readable ? content : Readable.from([Buffer.from(content)]);
  const result = readRouteResponse(
    { status, headers, body },
    { method, isReadOnly, commit },
    signal,
  );
  return { body, result };
}

const as = (type: string, more: RouteResponse['headers'] = {}): Given => ({
  headers: { 'content-type': type, ...more },
});

/** Megabytes without end, which notes how many were taken. */
function endless(taken: { megabytes: number }): Readable {
  const megabyte = Buffer.alloc(MEGABYTE, 'x');
  return new Readable({
    read() {
      taken.megabytes += 1;
      this.push(megabyte);
    },
  });
}

/** A body that breaks off. */
const broken = () =>
  Readable.from(
    (function* () {
      yield Buffer.from('half');
      throw new Error('/srv/secret');
    })(),
  );

describe('a response', () => {
  it.each<[string, string, unknown]>([
    ['application/json', '{"a":[1]}', { a: [1] }],
    ['application/json; charset=utf-8', '"x"', 'x'],
    ['application/problem+json', '{"a":1}', { a: 1 }],
    ['text/json', 'null', null],
    ['application/json', '{"a":', '{"a":'],
    ['text/plain', '{"a":1}', '{"a":1}'],
    ['application/xml', '<a/>', '<a/>'],
    ['image/svg+xml', '<svg/>', '<svg/>'],
    ['text/csv; charset=nonsense', 'a,b', 'a,b'],
  ])('of %s is read as such', async (type, content, expected) => {
    expect(await read(content, as(type)).result).toEqual(expected);
  });

  it('is text in its charset', async () => {
    const latin = Buffer.from('caf\xe9', 'latin1');
    expect(await read(latin, as('text/plain; charset="ISO-8859-1"')).result).toBe('café');
  });

  it('without a type is text where it can be, else a file', async () => {
    expect(await read('grüße').result).toBe('grüße');
    expect(await read('grüße', as(' ; charset=utf-8')).result).toBe('grüße');
    const file = await read(Buffer.from([0xff, 0x00])).result;
    expect(file).toEqual(
      new ToolResult([{ type: 'file', mediaType: 'application/octet-stream', data: '/wA=' }]),
    );
  });

  it.each([
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=plain.pdf', 'plain.pdf'],
    ["attachment; filename=x; filename*=UTF-8''gr%C3%BC%C3%9Fe.pdf", 'grüße.pdf'],
    ["attachment; filename*=UTF-8''100%", '100%'],
    ['attachment; filename="../../etc/pass\twd"', 'passwd'],
    ["attachment; filename*=UTF-8''..%5C..%5Ca%00b.pdf", 'ab.pdf'],
  ])('of a file bears its name: %s', async (disposition, name) => {
    const given = as('application/pdf', { 'content-disposition': disposition });
    expect(await read('x', given).result).toMatchObject({ content: [{ name }] });
  });

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
    ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
    ['identity, gzip', gzipSync],
    ['identity', Buffer.from],
  ])('is decompressed from %s', async (encoding, compress) => {
    const given = as('application/json', { 'content-encoding': encoding });
    expect(await read(compress('{"a":1}'), given).result).toEqual({ a: 1 });
  });

  it.each([200, 204, 304])('of status %i without a body needs no decompression', async (status) => {
    for (const encoding of ['gzip', 'br', 'gzip, br']) {
      const given = { status, ...as('application/json', { 'content-encoding': encoding }) };
      expect(await read(Readable.from([]), given).result).toBeUndefined();
    }
  });

  it.each(['zstd', 'gzip, gzip, gzip'])('in %s is refused, never shown', async (encoding) => {
    const given = as('application/json', { 'content-encoding': encoding });
    const { body, result } = read('secret', given);
    await expect(result).rejects.toMatchObject({
      status: 502,
      message: `The response is encoded as "${encoding}", which cannot be read.`,
    });
    expect(body.destroyed).toBe(true);
  });

  it('that is an error stays that error where its body cannot be read', async () => {
    for (const encoding of ['gzip', 'zstd']) {
      const given = { status: 404, ...as('application/json', { 'content-encoding': encoding }) };
      await expect(read('{"message":"x"}', given).result).rejects.toMatchObject({
        status: 404,
        message: '404 Not Found',
      });
    }
  });

  it('that is compressed has failed where nothing of its body comes', async () => {
    const broken = new Readable({ read() {} });
    const { result } = read(broken, as('text/plain', { 'content-encoding': 'gzip' }));
    broken.destroy(new Error('closed'));
    await expect(result).rejects.toMatchObject({ status: 502, message: /broke off/ });
  });

  it('that cannot be decompressed has failed', async () => {
    const { result, body } = read('no gzip', as('text/plain', { 'content-encoding': 'gzip' }));
    await expect(result).rejects.toMatchObject({ status: 502, message: /broke off/ });
    expect(body.destroyed).toBe(true);
  });

  it.each([204, 205, 304])('of status %i is nothing', async (status) => {
    expect(await read('', { status }).result).toBeUndefined();
  });

  it('to HEAD is its head', async () => {
    const headers = { 'content-type': 'text/plain', 'content-length': '7', 'x-secret': '1' };
    expect(await read('', { headers, method: 'HEAD' }).result).toEqual({
      status: 200,
      headers: { 'content-type': 'text/plain', 'content-length': '7' },
    });
  });

  it('is read to the cap and no further', async () => {
    const taken = { megabytes: 0 };
    const { body, result } = read(endless(taken), as('text/plain'));
    const text = (await result) as string;
    expect(text.startsWith('x'.repeat(100))).toBe(true);
    expect(text).toHaveLength(
      4 * MEGABYTE + '\n[The response was longer than 4194304 bytes and was cut.]'.length,
    );
    expect(body.destroyed).toBe(true);
    expect(taken.megabytes).toBeLessThan(8);
  });

  it('counts what it is once decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MEGABYTE));
    const given = as('application/octet-stream', { 'content-encoding': 'gzip' });
    await expect(read(bomb, given).result).rejects.toMatchObject({ status: 413 });
  });

  it.each([301, 302, 303, 307, 308])('of status %i goes nowhere', async (status) => {
    const given = { status, headers: { location: 'https://a.test/b?token=1#c' } };
    const { body, result } = read('moved', given);
    await expect(result).rejects.toThrow(
      `(${status}) to "https://a.test/b", which is not followed`,
    );
    expect(body.destroyed).toBe(true);
  });

  it('that breaks off has failed, unless the call was aborted', async () => {
    await expect(read(broken()).result).rejects.toMatchObject({
      status: 502,
      message: 'The response ended early.',
    });
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(read(broken(), { signal }).result).rejects.toThrow('stopped');
  });

  it.each<[string, () => Readable, Given, string]>([
    ['breaks off', broken, as('application/json'), 'ended early'],
    ['is too large', () => endless({ megabytes: 0 }), as('application/zip'), 'larger than 4194304'],
    [
      'is encoded oddly',
      () => Readable.from(['x']),
      as('text/plain', { 'content-encoding': 'zstd' }),
      'encoded as "zstd"',
    ],
  ])('to a write that succeeded tells of a success where it %s', async (_, body, given, why) => {
    const { result } = read(body(), { ...given, status: 201, method: 'POST', isReadOnly: false });
    const told = await result;
    expect(told).toMatchObject({ isError: false });
    expect((told as ToolResult).content).toMatch(
      /^Done: the route answered with success \(201\)\./,
    );
    expect((told as ToolResult).content).toContain(why);
  });

  it('to a write is known to be a success from its head on, to a reading tool only at its end', async () => {
    const commit = jest.fn();
    const given = { status: 201, method: 'POST', commit };
    await read('{"id":1}', { ...given, isReadOnly: false }).result;
    expect(commit.mock.calls).toEqual([
      [expect.objectContaining({ content: expect.stringMatching(/^Done: .* \(201\)/) as string })],
    ]);
    await read('{"id":1}', { ...given, isReadOnly: true }).result;
    await read('', { ...given, isReadOnly: false, status: 304 }).result;
    await read('', { ...given, isReadOnly: false, status: 409 }).result.catch(() => undefined);
    expect(commit).toHaveBeenCalledTimes(1);
  });

  it('to a write that is a redirect leaves open what happened', async () => {
    const headers = { location: '/orders/7?token=1' };
    const given = { status: 302, headers, method: 'POST', isReadOnly: false };
    await expect(read('', given).result).rejects.toThrow(
      'The route answered with a redirect (302) to "/orders/7", which is not followed. Its effect is unknown.',
    );
  });

  it.each<[string, string, string, string]>([
    ['Express’s type for a plain text', 'text/html', 'The name is taken', 'The name is taken'],
    ['JSON without its type', 'text/html', '{"message":"It is taken"}', 'It is taken'],
    ['a piece of a page', 'text/html', '<p>It is <b>taken</b></p>', 'It is taken'],
    ['broken JSON', 'application/json', 'It is taken', 'It is taken'],
    ['JSON of its own', 'application/json', '{"errorMessage":"Taken"}', '{"errorMessage":"Taken"}'],
  ])('that is an error says what it says: %s', async (_, type, body, said) => {
    await expect(read(body, { status: 409, ...as(type) }).result).rejects.toThrow(
      `409 Conflict: ${said}`,
    );
  });
});
