import type { Kysely } from 'kysely';
import {
  LeaseLostError,
  SessionExistsError,
  SessionNotFoundError,
  VersionConflictError,
} from '../session';
import type {
  AppendOptions,
  Lease,
  SessionEntry,
  SessionRecord,
  SessionStore,
  StoredEntry,
} from '../session';
import { appendEntries } from './append';
import { isFree, now, until } from './database-clock';
import { migrate } from './migrator';
import { RECORD, recordOf } from './session-row';
import { connectSql } from './sql-client';
import type { SqlConnection, SqlTag } from './sql-client';
import { asStoreError } from './sql-errors';
import type { SqlStoreOptions } from './sql-options';
import { fromStoredText, toStoredText } from './stored-text';
import type { Tables } from './tables';

/** What a query is written with: the tables in their schema, and kysely's template tag. */
interface Queries {
  readonly tables: Kysely<Tables>;
  readonly sql: SqlTag;
  readonly schema: string | undefined;
}

/** Sessions in PostgreSQL, served or embedded. The database's clock decides on leases. */
class SqlStore implements SessionStore {
  private connected: Promise<SqlConnection> | undefined;

  constructor(private readonly options: SqlStoreOptions) {}

  async open(): Promise<void> {
    await this.query(() => Promise.resolve());
  }

  async close(): Promise<void> {
    const connected = this.connected;
    this.connected = undefined;
    const connection = await connected?.catch(() => undefined);
    await connection?.close();
  }

  create({ id, owner }: { readonly id: string; readonly owner?: string }): Promise<SessionRecord> {
    return this.query(async ({ tables }) => {
      const row = await tables
        .insertInto('agent_sessions')
        .values({ id: toStoredText(id), owner: owner === undefined ? null : toStoredText(owner) })
        .onConflict((conflict) => conflict.doNothing())
        .returning(RECORD)
        .executeTakeFirst();
      if (!row) throw new SessionExistsError();
      return recordOf(row);
    });
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return this.query(async ({ tables }) => {
      const row = await tables
        .selectFrom('agent_sessions')
        .select(RECORD)
        .where('id', '=', toStoredText(sessionId))
        .executeTakeFirst();
      return row && recordOf(row);
    });
  }

  findByRun(runId: string): Promise<SessionRecord | undefined> {
    return this.query(async ({ tables }) => {
      const row = await tables
        .selectFrom('agent_runs')
        .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
        .select(RECORD)
        .where('agent_runs.run_id', '=', toStoredText(runId))
        .executeTakeFirst();
      return row && recordOf(row);
    });
  }

  list(
    owner: string,
    { limit, offset }: { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    return this.query(async ({ tables }) => {
      const rows = await tables
        .selectFrom('agent_sessions')
        .select(RECORD)
        .where('owner', '=', toStoredText(owner))
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .$if(offset !== undefined, (query) => query.offset(offset ?? 0))
        .execute();
      return rows.map(recordOf);
    });
  }

  read(
    sessionId: string,
    from = 1,
    { limit }: { readonly limit?: number } = {},
  ): Promise<readonly StoredEntry[]> {
    return this.query(async ({ tables }) => {
      const rows = await tables
        .selectFrom('agent_entries')
        .select(['position', 'entry'])
        .where('session_id', '=', toStoredText(sessionId))
        .where('position', '>=', from)
        .orderBy('position')
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .execute();
      return rows.map(({ position, entry }) => ({
        position,
        entry: JSON.parse(entry) as SessionEntry,
      }));
    });
  }

  append(sessionId: string, options: AppendOptions): Promise<number> {
    return this.query(async (queries) => {
      const version = await appendEntries(queries, toStoredText(sessionId), options);
      return version ?? this.explainRefusal(queries, sessionId, options.lease);
    });
  }

  acquire(sessionId: string, ttlMs: number): Promise<Lease | undefined> {
    return this.query(async (queries) => {
      const { tables, sql } = queries;
      const row = await tables
        .updateTable('agent_sessions')
        .set({ lease_token: sql`lease_token + 1`, lease_until: until(sql, ttlMs) })
        .where('id', '=', toStoredText(sessionId))
        .where((where) => isFree(where, sql))
        .returning('lease_token')
        .executeTakeFirst();
      if (row) return { sessionId, token: row.lease_token };
      await this.require(queries, sessionId);
      return undefined;
    });
  }

  renew({ sessionId, token }: Lease, ttlMs: number): Promise<boolean> {
    return this.query(async ({ tables, sql }) => {
      const row = await tables
        .updateTable('agent_sessions')
        .set({ lease_until: until(sql, ttlMs) })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_token', '=', token)
        .where('lease_until', '>', now(sql))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  release({ sessionId, token }: Lease): Promise<void> {
    return this.query(async ({ tables }) => {
      await tables
        .updateTable('agent_sessions')
        .set({ lease_until: null })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_token', '=', token)
        .execute();
    });
  }

  delete(sessionId: string): Promise<boolean> {
    return this.query(async ({ tables }) => {
      const row = await tables
        .deleteFrom('agent_sessions')
        .where('id', '=', toStoredText(sessionId))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  deleteAll(owner?: string): Promise<number> {
    return this.query(async ({ tables }) => {
      const rows = await tables
        .deleteFrom('agent_sessions')
        .$if(owner !== undefined, (query) => query.where('owner', '=', toStoredText(owner ?? '')))
        .returning('id')
        .execute();
      return rows.length;
    });
  }

  deleteIdle(since: Date): Promise<readonly string[]> {
    return this.query(async ({ tables, sql }) => {
      const rows = await tables
        .deleteFrom('agent_sessions')
        .where('last_used_at', '<', since)
        .where((where) => isFree(where, sql))
        .returning('id')
        .execute();
      return rows.map(({ id }) => fromStoredText(id));
    });
  }

  count(owner?: string): Promise<number> {
    return this.query(async ({ tables }) => {
      const { sessions } = await tables
        .selectFrom('agent_sessions')
        .select((select) => select.fn.countAll().as('sessions'))
        .$if(owner !== undefined, (query) => query.where('owner', '=', toStoredText(owner ?? '')))
        .executeTakeFirstOrThrow();
      return Number(sessions);
    });
  }

  /** An append found no row to write to; which rule it met takes a second look. */
  private async explainRefusal(queries: Queries, sessionId: string, lease: Lease): Promise<never> {
    const { tables, sql } = queries;
    const row = await tables
      .selectFrom('agent_sessions')
      .select((where) =>
        where('lease_token', '=', lease.token).and('lease_until', '>', now(sql)).as('is_held'),
      )
      .where('id', '=', toStoredText(sessionId))
      .executeTakeFirst();
    if (!row) throw new SessionNotFoundError();
    throw row.is_held ? new VersionConflictError() : new LeaseLostError();
  }

  private async require({ tables }: Queries, sessionId: string): Promise<void> {
    const row = await tables
      .selectFrom('agent_sessions')
      .select('id')
      .where('id', '=', toStoredText(sessionId))
      .executeTakeFirst();
    if (!row) throw new SessionNotFoundError();
  }

  private async query<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      const { db, sql, schema } = await this.connection();
      return await work({ tables: schema === undefined ? db : db.withSchema(schema), sql, schema });
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** Connects and migrates once; a failed attempt is not remembered, so the next call tries anew. */
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

/**
 * Keeps sessions in PostgreSQL: a served one (`pg`), which several processes may share, or an
 * embedded one in a folder (PGlite), which needs no server and serves one process. Both need
 * `kysely`. Tables are made and brought up to date when the store opens.
 *
 * @param options where the sessions are
 * @throws AgentError `invalid_options` at `open()`, where the address or the folder is no text or empty
 * @throws MissingPackageError at `open()`, where an optional package is not installed
 * @throws DataDirInUseError at `open()`, where another store has the folder open
 * @throws SessionStoreError of every method, where the database cannot be reached or refuses
 * @example
 * import { sqlStore } from 'nestjs-agent/sql';
 *
 * AgentModule.forRoot({
 *   sessions: { store: sqlStore({ dataDir: './data/sessions' }) },
 * });
 */
export function sqlStore(
  options: SqlStoreOptions,
): SessionStore & Required<Pick<SessionStore, 'open' | 'close'>> {
  return new SqlStore(options);
}
