import type { HttpAdapterHost } from '@nestjs/core';
import type { QueryStyle } from './route-query';

interface Express {
  get(setting: string): unknown;
}

/**
 * Asks the application's own query parser whether it understands brackets. Only Express tells;
 * Fastify's default does not understand them.
 */
export function queryStyleOf({ httpAdapter }: HttpAdapterHost): QueryStyle {
  if (httpAdapter?.getType() !== 'express') return { isNested: false };
  const parse = httpAdapter.getInstance<Express>().get('query parser fn');
  if (typeof parse !== 'function') return { isNested: false };
  const parsed = (parse as (query: string) => unknown)('a[b]=1') as Readonly<
    Record<string, unknown>
  >;
  return { isNested: typeof parsed?.a === 'object' };
}
