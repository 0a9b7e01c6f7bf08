import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { PGliteClient } from './sql-options';

/**
 * Presents PGlite as a pool of one connection, so that one dialect serves both. Each connection waits
 * for the release of the previous one, so that transactions do not mix.
 *
 * @param confirm rejects if the database may no longer be used
 */
export function poolOf(
  client: PGliteClient,
  confirm: () => Promise<void> = () => Promise.resolve(),
): PostgresPool {
  let last: Promise<void> = Promise.resolve();
  return {
    async connect(): Promise<PostgresPoolClient> {
      const before = last;
      let release = (): void => undefined;
      last = new Promise((resolve) => (release = resolve));
      await before;
      try {
        await confirm();
      } catch (error) {
        release();
        throw error;
      }
      return { query: queryOf(client), release };
    },
    // The store closes only clients that it created.
    end: () => Promise.resolve(),
  };
}

function queryOf(client: PGliteClient): PostgresPoolClient['query'] {
  async function query<R>(
    sql: string,
    params: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    const { rows, affectedRows } = await client.query(sql, [...params]);
    return { command: 'SELECT', rowCount: affectedRows ?? rows.length, rows: rows as R[] };
  }
  // The other signature is for cursors, which PGlite lacks and the store never uses.
  return query as PostgresPoolClient['query'];
}
