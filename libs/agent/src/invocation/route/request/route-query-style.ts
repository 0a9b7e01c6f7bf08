import type { HttpAdapterHost } from '@nestjs/core';
import { withFallback } from '../../../internal';
import type { QueryStyle } from './route-query';

interface Express {
  get(setting: string): unknown;
}

interface FastifyOptions {
  /** Before Fastify 5.5. */
  readonly querystringParser?: unknown;
  readonly routerOptions?: { readonly querystringParser?: unknown };
}

/**
 * Tests whether the application's query parser supports brackets. Fastify's own does not, and so
 * does none that is not found.
 */
export function queryStyleOf({ httpAdapter }: HttpAdapterHost): QueryStyle {
  const kind = httpAdapter?.getType();
  let parser: unknown;
  if (kind === 'express') parser = httpAdapter.getInstance<Express>().get('query parser fn');
  if (kind === 'fastify') parser = fastifyParser(httpAdapter.getInstance<object>());
  if (typeof parser !== 'function') return { isNested: false };
  const parse = (query: string): unknown => Reflect.apply(parser, undefined, [query]) as unknown;
  return { isNested: isNestedBy(parse), parse };
}

/** The application's own `querystringParser`, which Fastify keeps under a symbol alone. */
function fastifyParser(instance: object): unknown {
  const options = Object.getOwnPropertySymbols(instance).find(
    ({ description }) => description === 'fastify.options',
  );
  if (options === undefined) return undefined;
  const { routerOptions, querystringParser } =
    (instance as Readonly<Record<symbol, FastifyOptions>>)[options] ?? {};
  return routerOptions?.querystringParser ?? querystringParser;
}

/** A parser of the application's own may refuse brackets. */
function isNestedBy(parse: (query: string) => unknown): boolean {
  const parsed = withFallback(() => parse('a[b]=1'), undefined);
  return typeof (parsed as { readonly a?: unknown } | undefined)?.a === 'object';
}
