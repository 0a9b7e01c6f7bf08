import { migrate } from './migrator';
import { connectSql, type Queries, type SqlConnection } from './sql-client';
import { repeated } from './repeated';
import { asStoreError } from './sql-errors';
import type { SqlStoreOptions } from './sql-options';

/** The connection, which opens at the first query. */
export class Database {
  private connected: Promise<SqlConnection> | undefined;

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
