import fc from 'fast-check';
import type { ResponseHead } from './response-head';
import { ResponseParser } from './response-parser';

interface Parsed {
  readonly head: ResponseHead | undefined;
  readonly body: string;
  readonly isDone: boolean;
}

function parse(
  wire: string,
  { cuts = [] as readonly number[], method = 'GET', ends = false } = {},
) {
  const seen: { head?: ResponseHead; body: Buffer[]; ended: number } = { body: [], ended: 0 };
  const parser = new ResponseParser(method, {
    onHead: (head) => (seen.head = head),
    onBody: (bytes) => void seen.body.push(bytes),
    onEnd: () => void (seen.ended += 1),
  });
  const bytes = Buffer.from(wire, 'latin1');
  const edges = [0, ...[...cuts].sort((a, b) => a - b).filter((cut) => cut < bytes.length)];
  edges.forEach((start, index) => parser.write(bytes.subarray(start, edges[index + 1])));
  if (ends) parser.end();
  expect(seen.ended).toBe(parser.isDone ? 1 : 0);
  const parsed: Parsed = {
    head: seen.head,
    body: Buffer.concat(seen.body).toString('latin1'),
    isDone: parser.isDone,
  };
  return parsed;
}

const LENGTH = 'HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nX-End: 1\r\n\r\n';
const CLOSED = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end';
const INFORMED = `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${LENGTH}`;

describe('a response', () => {
  it.each([
    ['of a known length', LENGTH, 201, 'hello'],
    ['in chunks', CHUNKED, 200, 'hello world'],
    ['until the connection ends', CLOSED, 200, 'until the end'],
    ['after informational ones', INFORMED, 201, 'hello'],
  ])('%s is read alike, however its bytes arrive', (_, wire, status, body) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: wire.length })), (cuts) => {
        const parsed = parse(wire, { cuts, ends: true });
        expect(parsed).toMatchObject({ body, isDone: true });
        expect(parsed.head?.status).toBe(status);
      }),
    );
  });

  it.each([
    ['to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'HEAD'],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 'POST'],
    ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', 'GET'],
    ['of length 0', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 'GET'],
  ])('%s has no body', (_, wire, method) => {
    expect(parse(wire, { method })).toMatchObject({ body: '', isDone: true });
  });

  it('joins the headers it repeats, but keeps cookies apart', () => {
    const { head } = parse(
      'HTTP/1.1 200 OK\r\nVary: a\r\nVARY: b\r\nSet-Cookie: x=1\r\nSet-Cookie: y=2\r\nETag: 1\r\nETag: 2\r\nContent-Length: 0\r\n\r\n',
    );
    expect(head?.headers).toEqual({
      vary: 'a, b',
      'set-cookie': ['x=1', 'y=2'],
      etag: '1',
      'content-length': '0',
    });
  });

  it.each([
    ['a body cut off', LENGTH.slice(0, -2)],
    ['chunks cut off', CHUNKED.slice(0, -9)],
    ['a head cut off', 'HTTP/1.1 200 OK\r\nConte'],
    ['no status line', 'hello\r\n\r\n'],
    ['a malformed header', 'HTTP/1.1 200 OK\r\nnothing\r\n\r\n'],
    ['a malformed chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ['a malformed length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}`],
  ])('is refused for %s', (_, wire) => {
    expect(() => parse(wire, { ends: true })).toThrow(SyntaxError);
  });
});
