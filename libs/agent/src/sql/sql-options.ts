import type { Kysely, PostgresPool } from 'kysely';

/** What of a PGlite instance the store uses. */
export interface PGliteClient {
  readonly waitReady: Promise<void>;
  query(
    query: string,
    params?: unknown[],
  ): Promise<{ readonly rows: unknown[]; readonly affectedRows?: number }>;
}

/** A ready client: a `Pool` of `pg`, a `PGlite`, or a `Kysely` over PostgreSQL. It stays the caller's to close. */
export type SqlClient = PostgresPool | PGliteClient | Kysely<never>;

interface SharedOptions {
  /** The PostgreSQL schema for the store's tables; made where it is missing. The connection's own by default. */
  readonly schema?: string;
}

/** Where the sessions are: a served PostgreSQL, an embedded one in a folder, or a ready client. */
export type SqlStoreOptions = SharedOptions &
  (
    | {
        /** `postgres://user:password@host:port/database` */
        readonly connectionString: string;
        /** Connections held at most; 10 by default. */
        readonly maxConnections?: number;
      }
    | {
        /** A folder for embedded PostgreSQL (PGlite), made where it is missing; one process at a time. */
        readonly dataDir: string;
      }
    | { readonly client: SqlClient }
  );
