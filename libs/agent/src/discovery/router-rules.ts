import type { HttpAdapterHost } from '@nestjs/core';
import type { FindMyWayRules } from './route-find-my-way-reader';

/** What decides which route the application's router finds for a path. */
export type RouterRules =
  | { readonly type: 'express'; readonly isCaseSensitive: boolean }
  | ({ readonly type: 'fastify' } & FindMyWayRules);

interface Express {
  readonly router?: { readonly caseSensitive?: boolean };
}

interface FastifySettings {
  readonly caseSensitive?: boolean;
  readonly maxParamLength?: number;
}

interface Fastify {
  readonly initialConfig?: FastifySettings & { readonly routerOptions?: FastifySettings };
}

/** Asks the application's own router; without one, Express's defaults hold. */
export function routerRulesOf({ httpAdapter }: HttpAdapterHost): RouterRules {
  if (httpAdapter?.getType() === 'fastify') {
    const { initialConfig = {} } = httpAdapter.getInstance<Fastify>();
    const { caseSensitive, maxParamLength } = { ...initialConfig, ...initialConfig.routerOptions };
    return {
      type: 'fastify',
      isCaseSensitive: caseSensitive ?? true,
      maxParamLength: maxParamLength ?? 100,
    };
  }
  // The setting alone says nothing: what is set after the router was made does not reach it.
  const router = httpAdapter?.getInstance<Express | undefined>()?.router;
  return { type: 'express', isCaseSensitive: router?.caseSensitive ?? false };
}
