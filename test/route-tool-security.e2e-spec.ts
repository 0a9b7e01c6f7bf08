import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Pool } from 'undici';
import { HostileController, touched } from './route-tools/hostile.controller';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

/** Values that would lead elsewhere if they were pasted into a URL. */
const VALUES: readonly string[] = [
  '../admin',
  '../../hostile/admin',
  '..\\admin',
  '%2e%2e',
  '%2e%2e%2fadmin',
  '%2f',
  '%252f',
  'a/b',
  '/admin',
  '//evil.test/x',
  'https://evil.test/',
  'a?q=stolen',
  'a#b',
  'a;q=stolen',
  'a&q=stolen',
  'a\r\nX-Injected: 1',
  'a\r\n\r\nGET /hostile/admin HTTP/1.1\r\nHost: x\r\n\r\n',
  'a\0b',
  ' ',
  '\t',
  '%',
  '%zz',
  '%00',
  'ünï',
  '💥',
  '{id}',
  ':id',
  '*',
  '@evil.test',
];

const ELSEWHERE =
  'The call did not reach its handler, because its path leads to another route. Nothing was run.';

describe.each<AdapterName>(['express', 'fastify'])('hostile values on %s', (adapter) => {
  let tools: RouteToolApplication;
  let server: Server;

  beforeAll(async () => {
    tools = await RouteToolApplication.start({ adapter, controllers: [HostileController] });
    server = tools.app.getHttpServer();
    await tools.app.listen(0, '127.0.0.1');
  });

  beforeEach(() => {
    touched.length = 0;
  });

  afterAll(() => tools.close());

  it.each(VALUES)('stay in their place in a path: %j', async (id) => {
    expect(await tools.result('read_item', { id })).toEqual({ id });
    expect(await tools.result('read_part', { id, part: 'p' })).toEqual({ id, part: 'p' });
    expect(touched).toEqual([]);
  });

  it.each(['', '.', '..', '\ud800'])(
    'are refused where a path cannot hold them: %j',
    async (id) => {
      for (const [name, input] of [
        ['read_item', { id }],
        ['read_part', { id, part: 'p' }],
        ['read_part', { id: 'i', part: id }],
      ] as const) {
        const { error, status } = await tools.call(name, input);
        expect({ status, code: error?.code }).toEqual({
          status: 'failed',
          code: 'invalid_arguments',
        });
      }
      expect(touched).toEqual([]);
    },
  );

  it('cannot lead to another route that stands beside', async () => {
    const refused = async (name: string, input: Record<string, string>) => {
      const { error } = await tools.call(name, input);
      return error?.message;
    };
    expect(await refused('read_item', { id: 'secret' })).toBe(ELSEWHERE);
    expect(await refused('read_file', { path: 'ann/secret' })).toBe(ELSEWHERE);
    // Express finds the same route for it, Fastify does not.
    await tools.call('read_item', { id: 'SECRET' });
    expect(touched).toEqual([]);
  });

  it('may be named as routes are that this one cannot be taken for', async () => {
    expect(await tools.result('read_item', { id: 'purge' })).toEqual({ id: 'purge' });
    expect(await tools.result('read_part', { id: 'secret', part: 'secret' })).toEqual({
      id: 'secret',
      part: 'secret',
    });
    expect(await tools.result('read_file', { path: 'ann/secret/note' })).toEqual({
      path: 'ann/secret/note',
    });
  });

  it('may be long, as far as the server takes them', async () => {
    const id = 'x'.repeat(10_240);
    const { result, error } = await tools.call('read_item', { id });
    // Fastify's router bounds parameters by default and answers 404 or 414.
    if (adapter === 'express') expect(result).toEqual({ id });
    else expect(error?.message).toMatch(/^4\d\d /);
    const { error: tooLong } = await tools.call('read_item', { id: 'x'.repeat(200_000) });
    expect(tooLong?.message).toBe('431 Request Header Fields Too Large');
  });

  it.each(VALUES)('stay in their place in a query: %j', async (q) => {
    expect(await tools.result('read_item', { id: 'i', q })).toEqual({ id: 'i', q });
    expect(touched).toEqual([]);
  });

  it('cannot break out of a header', async () => {
    for (const note of ['a\r\nx-injected: 1', 'a\nb', 'a\0', 'a\u0100', 'a\x7f']) {
      expect((await tools.call('with_header', { 'x-note': note })).error?.code).toBe(
        'invalid_arguments',
      );
    }
    expect(await tools.result('with_header', { 'x-note': 'a: b, "c"' })).toEqual({
      note: 'a: b, "c"',
    });
  });

  it('cannot make a call wait for or hold a gigabyte', async () => {
    const { result } = await tools.call('gigabyte');
    expect((result as string).length).toBeLessThan(4_300_000);
    expect((await tools.call('gigabyte_file')).error?.message).toContain('larger than');
    expect(touched).toEqual([]);
  });

  it('cannot make a call wait for a dripping response', async () => {
    const { status, error } = await tools.call('drip');
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'timeout' });
    expect(touched).toEqual(['drip closed']);
  });

  it('neither disturb nor starve real clients of the same server', async () => {
    const { port } = server.address() as AddressInfo;
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
    let isOver = false;
    let answered = 0;
    const hammer = async (client: number) => {
      for (let count = 0; !isOver; count += 1) {
        const n = `${client}-${count}`;
        const { body } = await pool.request({ method: 'GET', path: `/hostile/plain/${n}` });
        expect(await body.json()).toMatchObject({ n });
        answered += 1;
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, (_, client) => hammer(client)));

    // Fifty rows of twenty: how long one call takes does not depend on how many there are.
    await Promise.all(
      Array.from({ length: 50 }, async (_, row) => {
        for (let count = 0; count < 20; count += 1) {
          const n = `${row}-${count}`;
          expect(await tools.result('plain_tool', { n })).toEqual({ n });
        }
      }),
    );
    const answeredMeanwhile = answered;
    isOver = true;
    await clients;
    await pool.close();
    // Where calls never let the event loop turn, it would be none.
    expect(answeredMeanwhile).toBeGreaterThan(16);
  }, 60_000);
});
