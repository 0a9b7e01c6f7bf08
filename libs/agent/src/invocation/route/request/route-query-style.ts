import type { HttpAdapterHost } from '@nestjs/core';
import type { QueryStyle } from './route-query';

interface Express {
  get(setting: string): unknown;
}

/**
 * Tests whether the application's query parser supports brackets. Only Express exposes it;
 * Fastify's default does not.
 */
export function queryStyleOf({ httpAdapter }: HttpAdapterHost): QueryStyle {
  if (httpAdapter?.getType() !== 'express') return { isNested: false };
  const parser = httpAdapter.getInstance<Express>().get('query parser fn');
  if (typeof parser !== 'function') return { isNested: false };
  const parse = (query: string): unknown => Reflect.apply(parser, undefined, [query]) as unknown;
  const parsed = parse('a[b]=1') as Readonly<Record<string, unknown>>;
  return { isNested: typeof parsed?.a === 'object', parse };
}
