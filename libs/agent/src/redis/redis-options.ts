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
  /** The beginning of all keys and channels; `agent` by default. Applications do not share one. */
  readonly prefix?: string;
  /** Milliseconds that a run's events stay in Redis after its end; 60 000 by default. */
  readonly retainMs?: number;
  /**
   * Pieces of text within so many milliseconds are sent as one event, to all readers; 50 by default.
   * `0` sends each piece of the model as an event.
   */
  readonly flushMs?: number;
} & (
  | {
      /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
      readonly url: string;
      /** Not beside `url`. */
      readonly client?: undefined;
    }
  | {
      /**
       * A client of `ioredis` for one server, sentinels or a cluster. The bus opens connections of its
       * own with the client's settings; the client stays the caller's to close.
       */
      readonly client: Redis | Cluster;
      /** Not beside `client`. */
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

/** Braces would move the hash tag, with which a cluster keeps a run's keys together. */
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

/** @throws InvalidOptionsError for options that do not exist or do not fit */
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
