import type { Kysely, PostgresPool } from 'kysely';

/** The parts of a PGlite instance that the store uses. */
export interface PGliteClient {
  /** Resolves when the database is open. */
  readonly waitReady: Promise<void>;
  /** Runs one statement. */
  query(
    query: string,
    params?: unknown[],
  ): Promise<{
    /** The rows. */
    readonly rows: unknown[];
    /** The number of written rows, if any. */
    readonly affectedRows?: number;
  }>;
}

/**
 * A ready client: a `Pool` of `pg`, a `PGlite`, or a `Kysely` over PostgreSQL. You close it.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- a Kysely of one database is none of another's
export type SqlClient = PostgresPool | PGliteClient | Kysely<any>;

/**
 * The database of the sessions: a PostgreSQL server, an embedded one in a folder, or a ready client.
 *
 * @example
 * import type { SqlStoreOptions } from 'nestjs-agent/sql';
 *
 * const options: SqlStoreOptions = {
 *   connectionString: 'postgres://agent:secret@127.0.0.1:5432/shop',
 *   maxConnections: 20,
 *   schema: 'agent',
 * };
 */
export type SqlStoreOptions = {
  /**
   * The PostgreSQL schema for the store's tables, created if missing; the connection's own by
   * default.
   */
  readonly schema?: string;
} & (
  | {
      /** `postgres://user:password@host:port/database`; needs `pg`. */
      readonly connectionString: string;
      /** The maximum of connections; 10 by default. */
      readonly maxConnections?: number;
    }
  | {
      /**
       * A folder for embedded PostgreSQL, created if missing; one process at a time. `memory://` stores
       * nothing on disk. Needs `@electric-sql/pglite`.
       */
      readonly dataDir: string;
    }
  | {
      /** A ready client. You close it. */
      readonly client: SqlClient;
    }
);
