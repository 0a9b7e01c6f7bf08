import type { Kysely } from 'kysely';
import { migrate } from './migrator';
import { connectSql, type SqlConnection, type SqlTag } from './sql-client';
import { asStoreError } from './sql-errors';
import type { SqlStoreOptions } from './sql-options';
import type { Tables } from './tables';

/** The parts of a query: the tables in their schema, and kysely's template tag. */
export interface Queries {
  readonly tables: Kysely<Tables>;
  readonly sql: SqlTag;
  readonly schema: string | undefined;
}

/** The connection, which opens at the first query. */
export class Database {
  private connected: Promise<SqlConnection> | undefined;

  constructor(private readonly options: SqlStoreOptions) {}

  async query<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      const { db, sql, schema } = await this.connection();
      return await work({ tables: schema === undefined ? db : db.withSchema(schema), sql, schema });
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
  private connection(): Promise<SqlConnection> {
    if (this.connected) return this.connected;
    const connecting = connectAndMigrate(this.options);
    this.connected = connecting;
    connecting.catch(() => {
      if (this.connected === connecting) this.connected = undefined;
    });
    return connecting;
  }
}

async function connectAndMigrate(options: SqlStoreOptions): Promise<SqlConnection> {
  const connection = await connectSql(options);
  try {
    await migrate(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
