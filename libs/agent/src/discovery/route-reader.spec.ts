import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import fc from 'fast-check';
import { parseFindMyWay } from './route-find-my-way';
import { findMyWayPath, findMyWayReader, isTriedBefore } from './route-find-my-way-reader';
import { parsePathToRegexp } from './route-path-to-regexp';
import { expressReader, type PathReading } from './route-reader';

type AdapterName = 'express' | 'fastify';

/** Which route a path leads to, and the values that are read from it. */
interface Found {
  readonly route: string;
  readonly values: Readonly<Record<string, string>>;
}

const SEGMENTS = ['a', 'b', 'A', 'a-b', ':', 'a-:', ':.json', ':-:', ':.min.json'];
const LAST: Readonly<Record<AdapterName, readonly string[]>> = {
  express: ['*', '{/:}', '{/*}', '{/:{/:}}'],
  fastify: ['*', ':?', ':(^\\d+$)', ':(^\\d+$)-:'],
};
const VALUES = [
  'a',
  'A',
  'b',
  'x',
  '1',
  'a-b',
  '1-b',
  'a.json',
  'a.min.json',
  'a\nb',
  '%61',
  '/ ;',
];

/** A path whose parameters are named by their order, so that equal paths are the same text. */
function pathOf(adapter: AdapterName, segments: readonly string[]): string {
  let count = 0;
  return segments
    .map((segment) => (segment.startsWith('{') ? segment : `/${segment}`))
    .join('')
    .replace(/:|\*/g, (sigil) =>
      sigil === '*' && adapter === 'fastify' ? sigil : `${sigil}p${count++}`,
    );
}

const tables = (adapter: AdapterName) =>
  fc.uniqueArray(
    fc
      .tuple(
        fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 }),
        fc.option(fc.constantFrom(...LAST[adapter]), { nil: undefined }),
      )
      .map(([first, last]) => pathOf(adapter, last === undefined ? first : [...first, last])),
    // On Fastify an optional part makes two routes, and neither may be there already.
    { minLength: 2, maxLength: 8, selector: (path) => path.replace(/\/:[^/]*\?$/, '') },
  );

const urls = fc.array(
  fc
    .array(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 4 })
    .map((values) => values.map((value) => `/${encodeURIComponent(value)}`).join('')),
  { minLength: 16, maxLength: 16 },
);

function valuesOf(params: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(params)
      .map(([name, value]) => [name, [value ?? ''].flat().join('/')] as const)
      .filter(([, value]) => value !== ''),
  );
}

/** An application with nothing but a table of routes, without Nest's own part in it. */
async function serverOf(adapter: AdapterName, table: readonly string[], isCaseSensitive: boolean) {
  const answer = (route: string, params: object) =>
    JSON.stringify({ route, values: valuesOf({ ...params }) } satisfies Found);
  if (adapter === 'express') {
    const express = new ExpressAdapter();
    const { router } = express.getInstance<{ router: { caseSensitive: boolean } }>();
    router.caseSensitive = isCaseSensitive;
    for (const route of table) {
      express.get(route, (({ params }: { params: object }, reply: { end(text: string): void }) =>
        reply.end(answer(route, params))) as never);
    }
    express.initHttpServer({});
    await once(express.listen(0, '127.0.0.1'), 'listening');
    return express;
  }
  const fastify = new FastifyAdapter({ routerOptions: { caseSensitive: isCaseSensitive } });
  for (const url of table) {
    const handler = ({ params }: { params: unknown }, reply: { send(text: string): unknown }) =>
      reply.send(answer(url, params as object));
    try {
      fastify.getInstance().route({ method: 'GET', url, handler });
    } catch {
      // It takes some paths for equal; such a table is none.
      return undefined;
    }
  }
  await fastify.getInstance().listen({ port: 0, host: '127.0.0.1' });
  return fastify;
}

/** What the router itself finds. */
async function foundBy(server: Server, path: string): Promise<Found | undefined> {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path }, resolve).on('error', reject).end();
  });
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
  return response.statusCode === 200 ? (JSON.parse(text) as Found) : undefined;
}

/** What we say that it finds. */
function expected(
  adapter: AdapterName,
  table: readonly string[],
  url: string,
  isCaseSensitive: boolean,
): Found | undefined {
  const isFastify = adapter === 'fastify';
  const candidates = table.flatMap((route, at) => {
    const pattern = isFastify ? parseFindMyWay(route) : parsePathToRegexp(route);
    const read = isFastify
      ? findMyWayReader(pattern, { isCaseSensitive, maxParamLength: 100 })
      : expressReader(pattern, isCaseSensitive);
    const reading = read(isFastify ? (findMyWayPath(url) ?? '') : url);
    return reading ? [{ route, pattern, at, reading }] : [];
  });
  const found = candidates.find(
    (one) =>
      !isFastify ||
      candidates.every(
        (other) => other === one || !isTriedBefore(other.pattern, one.pattern, other.at < one.at),
      ),
  );
  return found && { route: found.route, values: valuesOf(recordOf(found.reading)) };
}

const recordOf = (reading: PathReading) => Object.fromEntries(reading);

describe.each<AdapterName>(['express', 'fastify'])('any path on %s', (adapter) => {
  it.each([true, false])(
    'leads where its router says (case-sensitive: %s)',
    async (isCaseSensitive) => {
      await fc.assert(
        fc.asyncProperty(tables(adapter), urls, async (table, paths) => {
          const server = await serverOf(adapter, table, isCaseSensitive);
          if (!server) return;
          try {
            for (const path of paths) {
              const found = await foundBy(server.getHttpServer(), path);
              expect({ path, found: expected(adapter, table, path, isCaseSensitive) }).toEqual({
                path,
                found,
              });
            }
          } finally {
            await server.close();
          }
        }),
        { numRuns: 40 },
      );
    },
  );
});
