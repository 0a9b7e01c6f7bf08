import type { Kysely } from 'kysely';
import type { JsonValue } from '../message';
import {
  type Appended,
  type AppendOptions,
  type Draft,
  type Lease,
  LeaseLostError,
  type RecordedEntry,
  type Renewed,
  type RunRecord,
  SessionExistsError,
  SessionNotFoundError,
  type SessionRecord,
  type SessionStore,
  type StoredEntry,
  type TakenLease,
  TooManyRunsError,
  VersionConflictError,
} from '../session';
import { appendEntries } from './append';
import { isFree, now, until } from './database-clock';
import { migrate } from './migrator';
import { recordColumns, recordOf, signalColumns, signalsOf } from './session-row';
import { connectSql, type SqlConnection, type SqlTag } from './sql-client';
import { asStoreError } from './sql-errors';
import type { SqlStoreOptions } from './sql-options';
import { fromStoredText, toStoredText } from './stored-text';
import type { Tables } from './tables';

/** How many expired sessions go at once: a long transaction holds up others. */
const IDLE_BATCH = 1_000;

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
    return this.query(async ({ tables, sql }) => {
      const row = await tables
        .insertInto('agent_sessions')
        .values({ id: toStoredText(id), owner: owner === undefined ? null : toStoredText(owner) })
        .onConflict((conflict) => conflict.doNothing())
        .returning(recordColumns(sql))
        .executeTakeFirst();
      if (!row) throw new SessionExistsError();
      return recordOf(row);
    });
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return this.query(async ({ tables, sql }) => {
      const row = await tables
        .selectFrom('agent_sessions')
        .select(recordColumns(sql))
        .where('id', '=', toStoredText(sessionId))
        .executeTakeFirst();
      return row && recordOf(row);
    });
  }

  findByRun(runId: string): Promise<RunRecord | undefined> {
    return this.query(async ({ tables, sql }) => {
      const row = await tables
        .selectFrom('agent_runs')
        .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
        .select(recordColumns(sql))
        .select('agent_runs.position')
        .where('agent_runs.run_id', '=', toStoredText(runId))
        .executeTakeFirst();
      return row && { ...recordOf(row), runStart: row.position };
    });
  }

  list(
    owner: string,
    { limit, offset }: { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    return this.query(async ({ tables, sql }) => {
      const rows = await tables
        .selectFrom('agent_sessions')
        .select(recordColumns(sql))
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
        entry: JSON.parse(entry) as RecordedEntry,
      }));
    });
  }

  append(sessionId: string, options: AppendOptions): Promise<Appended> {
    return this.query(async (queries) => {
      const appended = await appendEntries(queries, toStoredText(sessionId), options);
      return appended ?? this.explainRefusal(queries, sessionId, options.lease);
    });
  }

  acquire(
    sessionId: string,
    ttlMs: number,
    { maxPerOwner }: { readonly maxPerOwner?: number } = {},
  ): Promise<TakenLease | undefined> {
    return this.query(async (queries) => {
      const { tables, sql } = queries;
      const row = await tables
        .updateTable('agent_sessions')
        .set({
          lease_token: sql`lease_token + 1`,
          lease_until: until(sql, ttlMs),
          stop_run: null,
          attended_until: null,
        })
        .where('id', '=', toStoredText(sessionId))
        .where((where) => isFree(where, sql))
        .$if(maxPerOwner !== undefined, (query) =>
          query.where(ownersLeases(queries), '<', maxPerOwner ?? 0),
        )
        .returning(recordColumns(sql))
        .returning('lease_token')
        .executeTakeFirst();
      if (row) return { sessionId, token: row.lease_token, record: recordOf(row) };
      await this.explainBusy(queries, sessionId, maxPerOwner);
      return undefined;
    });
  }

  renew({ sessionId, token }: Lease, ttlMs: number, draft?: Draft): Promise<Renewed> {
    return this.query(async ({ tables, sql }) => {
      const row = await tables
        .updateTable('agent_sessions')
        .set({
          lease_until: until(sql, ttlMs),
          ...(draft && { draft: JSON.stringify(draft) }),
        })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_token', '=', token)
        .where('lease_until', '>', now(sql))
        .returning(signalColumns(sql))
        .executeTakeFirst();
      return { isHeld: row !== undefined, signals: row ? signalsOf(row) : {} };
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

  requestStop(sessionId: string, runId: string): Promise<void> {
    return this.query(async ({ tables, sql }) => {
      await tables
        .updateTable('agent_sessions')
        .set({ stop_run: toStoredText(runId) })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_until', '>', now(sql))
        .execute();
    });
  }

  attend(sessionId: string, ttlMs: number): Promise<void> {
    return this.query(async ({ tables, sql }) => {
      await tables
        .updateTable('agent_sessions')
        .set({ attended_until: until(sql, ttlMs) })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_until', '>', now(sql))
        .execute();
    });
  }

  deliver(sessionId: string, callId: string, delivery: JsonValue): Promise<boolean> {
    return this.query(async ({ tables }) => {
      const row = await tables
        .insertInto('agent_deliveries')
        .columns(['session_id', 'call_id', 'delivery'])
        .expression((select) =>
          select
            .selectFrom('agent_sessions')
            .select((values) => [
              'id',
              values.val(toStoredText(callId)).$castTo<string>().as('call_id'),
              values.val(JSON.stringify(delivery)).$castTo<string>().as('delivery'),
            ])
            .where('id', '=', toStoredText(sessionId)),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('call_id')
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  delivered(sessionId: string, callId: string): Promise<JsonValue | undefined> {
    return this.query(async ({ tables }) => {
      const row = await tables
        .selectFrom('agent_deliveries')
        .select('delivery')
        .where('session_id', '=', toStoredText(sessionId))
        .where('call_id', '=', toStoredText(callId))
        .executeTakeFirst();
      return row && (JSON.parse(row.delivery) as JsonValue);
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
      const removed: string[] = [];
      for (;;) {
        const rows = await tables
          .deleteFrom('agent_sessions')
          .where('id', 'in', (idle) =>
            idle
              .selectFrom('agent_sessions')
              .select('id')
              .where('last_used_at', '<', since)
              .where((where) => isFree(where, sql))
              .orderBy('last_used_at')
              .limit(IDLE_BATCH)
              // Another process may be at it, and a session in use is not idle.
              .forUpdate()
              .skipLocked(),
          )
          .returning('id')
          .execute();
        removed.push(...rows.map(({ id }) => fromStoredText(id)));
        if (rows.length < IDLE_BATCH) return removed;
      }
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

  /** Nobody was given the lease: there is no such session, its owner has too many, or it is held. */
  private async explainBusy(
    queries: Queries,
    sessionId: string,
    maxPerOwner: number | undefined,
  ): Promise<void> {
    const { tables, sql } = queries;
    const row = await tables
      .selectFrom('agent_sessions')
      .select((where) => isFree(where, sql).as('is_free'))
      .$if(maxPerOwner !== undefined, (query) => query.select(ownersLeases(queries).as('leases')))
      .where('id', '=', toStoredText(sessionId))
      .executeTakeFirst();
    if (!row) throw new SessionNotFoundError();
    if (!row.is_free || maxPerOwner === undefined) return;
    if (Number(row.leases ?? 0) >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
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

/** How many living leases the owner of a session's row has; 0 of nobody's. */
function ownersLeases({ sql, schema }: Queries) {
  const counting = sql.id(...(schema === undefined ? [] : [schema]), 'agent_living_leases');
  return sql<number>`case when owner is null then 0 else ${counting}(owner) end`;
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
