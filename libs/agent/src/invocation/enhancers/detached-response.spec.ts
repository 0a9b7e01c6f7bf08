import { DetachedResponse } from './detached-response';

describe('DetachedResponse', () => {
  it('keeps headers under any spelling, set in the way of Node, Express or Fastify', () => {
    const response = new DetachedResponse();
    response.setHeader('X-One', 1);
    response.set({ 'x-two': 'two' }).header('X-Three', 'three').headers({ 'x-four': 'four' });
    response.append('Set-Cookie', 'a=1').cookie('b', 2).type('text/plain');
    expect(response.getHeaders()).toEqual({
      'x-one': 1,
      'x-two': 'two',
      'x-three': 'three',
      'x-four': 'four',
      'set-cookie': ['a=1', 'b=2'],
      'content-type': 'text/plain',
    });
    expect(response.hasHeader('X-ONE')).toBe(true);
    response.removeHeader('X-One');
    expect(response.get('x-one')).toBeUndefined();
  });

  it.each<[string, (response: DetachedResponse) => unknown, unknown]>([
    ['json', (response) => response.status(400).json({ a: 1 }), { status: 400, body: { a: 1 } }],
    ['send', (response) => response.code(401).send('no'), { status: 401, body: 'no' }],
    ['sendStatus', (response) => response.sendStatus(404), { status: 404, body: 'Not Found' }],
    ['redirect', (response) => response.redirect('/login'), { status: 302, body: undefined }],
    ['redirect with a status', (r) => r.redirect(307, '/'), { status: 307, body: undefined }],
    [
      'writeHead, write and end',
      (response) => {
        response.writeHead(503, { 'retry-after': '1' }).write(Buffer.from('one '));
        response.end('two');
      },
      { status: 503, body: 'one two' },
    ],
    [
      'raw',
      (response) => {
        response.raw.statusCode = 418;
        response.raw.end();
      },
      { status: 418, body: undefined },
    ],
    [
      'end with a listener',
      (response) => response.end(() => undefined),
      { status: 200, body: undefined },
    ],
  ])('is answered by %s', (_what, answer, expected) => {
    const response = new DetachedResponse();
    expect(response.answer).toBeUndefined();
    expect(response.headersSent).toBe(false);
    answer(response);
    expect(response.answer).toEqual(expected);
    expect([response.headersSent, response.sent, response.writableEnded]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('counts the first answer, and says when it is there', () => {
    const response = new DetachedResponse();
    const finished = jest.fn();
    response.on('finish', finished);
    response.status(401).send('first');
    response.status(200).send('second');
    expect(response.answer).toEqual({ status: 401, body: 'first' });
    expect(finished).toHaveBeenCalledTimes(1);
  });

  it('ends with the call where nobody answered', () => {
    const response = new DetachedResponse();
    const events: string[] = [];
    response.on('finish', () => events.push('finish')).on('close', () => events.push('close'));
    response.complete(404);
    response.complete(500);
    response.send('too late');
    expect(events).toEqual(['finish', 'close']);
    expect(response.statusCode).toBe(404);
    expect(response.answer).toBeUndefined();
    expect(response.writableEnded).toBe(true);
  });

  it('is no promise, so that it can be returned from an asynchronous function', async () => {
    const response = new DetachedResponse();
    expect(await Promise.resolve(response)).toBe(response);
  });
});
