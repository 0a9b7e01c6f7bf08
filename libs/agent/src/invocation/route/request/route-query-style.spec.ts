import type { HttpAdapterHost } from '@nestjs/core';
import { parse } from 'qs';
import { queryStyleOf } from './route-query-style';

/** Fastify of several versions keeps its options alike, and only one version is installed. */
function fastifyWith(options: object): HttpAdapterHost {
  const instance = { [Symbol('fastify.options')]: options };
  const httpAdapter = { getType: () => 'fastify', getInstance: () => instance };
  return { httpAdapter } as unknown as HttpAdapterHost;
}

describe('queryStyleOf', () => {
  const querystringParser = (query: string): object => parse(query);

  it.each([
    ['newer', { routerOptions: { querystringParser } }],
    ['older', { querystringParser }],
  ])('finds the parser of a %s Fastify', (_, options) => {
    const { isNested, parse: found } = queryStyleOf(fastifyWith(options));
    expect(isNested).toBe(true);
    expect(found?.('a[]=1')).toEqual({ a: ['1'] });
  });

  it('takes a parser that refuses brackets for a flat one', () => {
    const strict = (query: string): object => {
      if (query.includes('[')) throw new Error('No brackets.');
      return {};
    };
    expect(queryStyleOf(fastifyWith({ querystringParser: strict })).isNested).toBe(false);
  });
});
