import { requestBytes } from './request-head';

const headers = { host: 'localhost' };

describe('the bytes of a request', () => {
  it('are its head and its body, measured in bytes', () => {
    const bytes = requestBytes({
      method: 'POST',
      path: '/a?b=c',
      headers: { ...headers, 'x-list': ['1', '2'], 'x-latin': 'é' },
      body: '"é"',
    });
    expect(bytes).toEqual(
      Buffer.concat([
        Buffer.from(
          'POST /a?b=c HTTP/1.1\r\nhost: localhost\r\nx-list: 1\r\nx-list: 2\r\nx-latin: é\r\ncontent-length: 4\r\nconnection: close\r\n\r\n',
          'latin1',
        ),
        Buffer.from('"é"', 'utf8'),
      ]),
    );
  });

  it.each([
    ['a path', { method: 'GET', path: '/a b', headers }],
    ['a path', { method: 'GET', path: '/a\r\nX: 1', headers }],
    ['a path', { method: 'GET', path: 'http://evil.test/', headers }],
    ['a method', { method: 'GET / HTTP/1.1\r\n', path: '/', headers }],
    ['a header', { method: 'GET', path: '/', headers: { 'x-a': 'a\r\nb: c' } }],
    ['a header’s name', { method: 'GET', path: '/', headers: { 'x a': '1' } }],
    ['a listed header', { method: 'GET', path: '/', headers: { 'x-a': ['ok', 'a\nb'] } }],
  ])('are refused where %s would break out of its place', (_, request) => {
    expect(() => requestBytes(request)).toThrow(expect.objectContaining({ name: 'TypeError' }));
  });
});
