import type { Cluster, Redis } from 'ioredis';
import { count, notNegative, ofKind, optionsOf, problemsOf } from '../checks';
import { InvalidOptionsError } from '../tool';

/**
 * Options of `redisBus()`.
 *
 * @experimental
 * @example
 * import type { RedisBusOptions } from 'nestjs-agent/redis';
 *
 * const options: RedisBusOptions = {
 *   url: 'redis://127.0.0.1:6379',
 *   prefix: 'shop',
 *   retainMs: 120_000,
 * };
 */
export type RedisBusOptions = {
  /** The prefix of all keys and channels; `agent` by default. Applications need different ones. */
  readonly prefix?: string;
  /** Milliseconds that a run's events stay in Redis after its end; 60 000 by default. */
  readonly retainMs?: number;
  /**
   * Merges pieces of text within this many milliseconds into one event, for all readers; 50 by
   * default. `0` sends each piece of the model as an event.
   */
  readonly flushMs?: number;
} & (
  | {
      /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
      readonly url: string;
      /** Not together with `url`. */
      readonly client?: undefined;
    }
  | {
      /**
       * An `ioredis` client for one server, sentinels or a cluster. The bus opens its own connections
       * with the client's settings; you close the client.
       */
      readonly client: Redis | Cluster;
      /** Not together with `client`. */
      readonly url?: undefined;
    }
);

/** Options with their defaults. */
export interface RedisSettings {
  readonly source: string | Redis | Cluster;
  readonly prefix: string;
  readonly retainMs: number;
  readonly flushMs: number;
}

/** Braces would change the hash tag that keeps a run's keys together in a cluster. */
const aPrefix = ofKind(
  'a text without braces',
  (value) => typeof value === 'string' && /^[^{}]+$/.test(value),
);
const aClient = ofKind(
  'a Redis or a Cluster of ioredis',
  (value) => typeof value === 'object' && value !== null && 'duplicate' in value,
);
const aUrl = ofKind(
  'an address such as "redis://127.0.0.1:6379"',
  (value) => typeof value === 'string' && /^rediss?:\/\//.test(value) && URL.canParse(value),
);

const CHECK = optionsOf<Record<keyof RedisBusOptions, unknown>>({
  url: aUrl,
  client: aClient,
  prefix: aPrefix,
  retainMs: count,
  flushMs: notNegative,
});

/** @throws InvalidOptionsError for unknown options and invalid values */
export function settingsOf(options: RedisBusOptions): RedisSettings {
  const problems = [...problemsOf(CHECK, options, 'options')];
  const { url, client, prefix = 'agent', retainMs = 60_000, flushMs = 50 } = options;
  const source = url ?? client;
  if (
    problems.length === 0 &&
    (source === undefined || (url !== undefined && client !== undefined))
  )
    problems.push('options must have either url or client');
  if (problems.length > 0 || source === undefined)
    throw new InvalidOptionsError(problems, 'redisBus()');
  return { source, prefix, retainMs, flushMs };
}
