import type { RunCredentials } from '../run';

/**
 * The Redis server: the options of an `ioredis` client, as for BullMQ's own `connection`.
 *
 * @experimental
 */
export interface BullmqRedisConnection {
  /** The server's host; `127.0.0.1` by default. */
  readonly host?: string;
  /** The server's port; 6379 by default. */
  readonly port?: number;
  /** `redis://user:password@host:port/db`, instead of host and port. */
  readonly url?: string;
  /** The user, if the server has access control lists. */
  readonly username?: string;
  /** The password. */
  readonly password?: string;
  /** The number of the database; 0 by default. */
  readonly db?: number;
  /** Options of `tls.connect()`; `{}` for TLS with the system's certificates. */
  readonly tls?: object;
  /** Any other option of `ioredis`. */
  readonly [option: string]: unknown;
}

/**
 * The PostgreSQL server: the options of a `Pool` of `pg`, as for BullMQ's own `connection`.
 *
 * @experimental
 */
export interface BullmqPostgresConnection {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString?: string;
  /** The maximum of connections; 10 by default. A worker has one more, for `LISTEN`. */
  readonly max?: number;
  /** The PostgreSQL schema of BullMQ's tables; `bullmq` by default. */
  readonly schema?: string;
  /**
   * Whether to create and update BullMQ's tables at boot; true by default. With false, the database
   * user needs no such rights, and you call BullMQ's `runMigrations()` at deployment.
   */
  readonly migrate?: boolean;
  /** Any other option of `pg`. */
  readonly [option: string]: unknown;
}

/**
 * Options of `bullmqRuns()`.
 *
 * @experimental
 * @example
 * import type { BullmqRunsOptions } from 'nestjs-agent/bullmq';
 *
 * const options: BullmqRunsOptions = {
 *   backend: 'postgres',
 *   connection: { connectionString: 'postgres://agent:secret@127.0.0.1:5432/shop' },
 *   role: 'worker',
 *   concurrency: 20,
 *   credentials: 'none',
 * };
 */
export type BullmqRunsOptions = {
  /**
   * This process accepts runs (`web`), executes them (`worker`), or does both, which is the
   * default.
   */
  readonly role?: 'web' | 'worker' | 'both';
  /** Runs that this process executes at a time; 50 by default. */
  readonly concurrency?: number;
  /** The maximum of attempts at a model step whose worker dies; 3 by default. */
  readonly maxAttempts?: number;
  /** How workers become callers; `'none'` if no tool needs credentials. */
  readonly credentials?: RunCredentials | 'none';
  /**
   * The prefix of the queue's name: letters, digits, `.`, `_` and `-`; `agent` by default.
   * Applications on the same server need different ones.
   */
  readonly prefix?: string;
} & (
  | {
      /** The jobs' server: `redis`, the default, or `postgres`. */
      readonly backend?: 'redis';
      /** The server's address. */
      readonly connection: BullmqRedisConnection;
    }
  | {
      /** The jobs' server. */
      readonly backend: 'postgres';
      /** The server's address. */
      readonly connection: BullmqPostgresConnection;
    }
);
