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
    /** How many rows it wrote, where it wrote. */
    readonly affectedRows?: number;
  }>;
}

/**
 * A ready client: a `Pool` of `pg`, a `PGlite`, or a `Kysely` over PostgreSQL. It stays the
 * caller's to close.
 */
export type SqlClient = PostgresPool | PGliteClient | Kysely<never>;

/**
 * Where the sessions are: a served PostgreSQL, an embedded one in a folder, or a ready client.
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
   * The PostgreSQL schema for the store's tables, made where it is missing; the connection's own by
   * default.
   */
  readonly schema?: string;
} & (
  | {
      /** `postgres://user:password@host:port/database`; needs `pg`. */
      readonly connectionString: string;
      /** Connections held at most; 10 by default. */
      readonly maxConnections?: number;
    }
  | {
      /**
       * A folder for embedded PostgreSQL, made where it is missing; one process at a time. `memory://`
       * keeps nothing. Needs `@electric-sql/pglite`.
       */
      readonly dataDir: string;
    }
  | {
      /** A ready client, which stays the caller's to close. */
      readonly client: SqlClient;
    }
);
