import type { RunCredentials } from '../run';

/**
 * Where Redis is: the options of an `ioredis` client, as for BullMQ's own `connection`.
 *
 * @experimental
 */
export interface BullmqRedisConnection {
  /** The server's host; `127.0.0.1` by default. */
  readonly host?: string;
  /** The server's port; 6379 by default. */
  readonly port?: number;
  /** `redis://user:password@host:port/db`, in place of host and port. */
  readonly url?: string;
  /** The user, where the server has access control lists. */
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
 * Where PostgreSQL is: the options of a `Pool` of `pg`, as for BullMQ's own `connection`.
 *
 * @experimental
 */
export interface BullmqPostgresConnection {
  /** `postgres://user:password@host:port/database`. */
  readonly connectionString?: string;
  /** Connections held at most; 10 by default. A worker holds one more, for `LISTEN`. */
  readonly max?: number;
  /** The PostgreSQL schema of BullMQ's tables; `bullmq` by default. */
  readonly schema?: string;
  /**
   * Whether to create and update BullMQ's tables at boot; true by default. With false the database
   * user needs no right to do so, and you call BullMQ's `runMigrations()` at deployment.
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
   * What this process does: accept runs (`web`), execute them (`worker`), or both, which is the
   * default.
   */
  readonly role?: 'web' | 'worker' | 'both';
  /** How many runs this process executes at a time; 50 by default. */
  readonly concurrency?: number;
  /** How often a model step is tried if its worker dies; 3 by default. */
  readonly maxAttempts?: number;
  /** How workers become callers; `'none'` if no tool needs credentials. */
  readonly credentials?: RunCredentials | 'none';
  /**
   * The beginning of the queue's name, of letters, digits, `.`, `_` and `-`; `agent` by default.
   * Applications on the same server need different ones.
   */
  readonly prefix?: string;
} & (
  | {
      /** What holds the jobs: `redis`, the default, or `postgres`. */
      readonly backend?: 'redis';
      /** Where the server is. */
      readonly connection: BullmqRedisConnection;
    }
  | {
      /** What holds the jobs. */
      readonly backend: 'postgres';
      /** Where the server is. */
      readonly connection: BullmqPostgresConnection;
    }
);
