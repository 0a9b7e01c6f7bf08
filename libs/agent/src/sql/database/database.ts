import type { Kysely } from 'kysely';
import { migrate } from './migrator';
import { connectSql, type SqlConnection, type SqlTag } from './sql-client';
import { repeated } from './repeated';
import { asStoreError } from './sql-errors';
import type { SqlStoreOptions } from './sql-options';
import type { Tables } from './tables';

/** The parts of a query: the tables in their schema, and kysely's template tag. */
export interface Queries {
  readonly tables: Kysely<Tables>;
  /** For statements written in SQL, which name the schema themselves; `tables` would search each for tables. */
  readonly db: Kysely<Tables>;
  readonly sql: SqlTag;
  readonly schema: string | undefined;
}

interface Connected extends Queries, Pick<SqlConnection, 'close'> {}

/** The connection, which opens at the first query. */
export class Database {
  private connected: Promise<Connected> | undefined;

  constructor(private readonly options: SqlStoreOptions) {}

  /** @param work repeated if PostgreSQL rolls it back, so at most one of its statements writes */
  async query<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      // A statement that is repeated after the end must not open the database again.
      const connected = await this.connection();
      return await repeated(() => work(connected));
    } catch (error) {
      throw asStoreError(error);
    }
  }

  async close(): Promise<void> {
    const connected = this.connected;
    this.connected = undefined;
    const connection = await connected?.catch(() => undefined);
    await connection?.close();
  }

  /** Connects and migrates once; after a failure, the next call tries again. */
  private connection(): Promise<Connected> {
    if (this.connected) return this.connected;
    const connecting = connectAndMigrate(this.options);
    this.connected = connecting;
    connecting.catch(() => {
      if (this.connected === connecting) this.connected = undefined;
    });
    return connecting;
  }
}

async function connectAndMigrate(options: SqlStoreOptions): Promise<Connected> {
  const connection = await connectSql(options);
  const { db, schema } = connection;
  try {
    await migrate(connection);
    return { ...connection, tables: schema === undefined ? db : db.withSchema(schema) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
