import type { JsonValue } from '../message';
import {
  type AgentFilter,
  type Appended,
  type AppendOptions,
  type Draft,
  type Lease,
  type LeaseLimit,
  type NewSession,
  type QueuedRun,
  type RecordedEntry,
  type Renewed,
  type RunRecord,
  type SessionRecord,
  type SessionStore,
  type Spending,
  type StoredEntry,
  type TakenLease,
  type UsageQuery,
  type UsageSum,
  type WaitingRun,
} from '../session';
import { appendEntries } from './append';
import { queuedRun, queuedRuns } from './queued-runs';
import { deleteIdle, isConversation } from './conversations';
import { createHeldSession, createSession } from './create-session';
import { Database, now, type SqlStoreOptions, until } from './database';
import { acquireLease, renewLease } from './leases';
import { recordColumns, recordOf } from './session-row';
import { toStoredText } from './stored-text';
import { addUsage, removeUsage, sumsOf } from './usage';

/** Sessions in PostgreSQL, as a server or embedded. The database's clock decides on leases. */
class SqlStore implements SessionStore {
  private readonly database: Database;

  constructor(options: SqlStoreOptions) {
    this.database = new Database(options);
  }

  open(): Promise<void> {
    return this.database.query(() => Promise.resolve());
  }

  close(): Promise<void> {
    return this.database.close();
  }

  create(session: NewSession): Promise<SessionRecord> {
    return this.database.query((queries) => createSession(queries, session));
  }

  find(sessionId: string): Promise<SessionRecord | undefined> {
    return this.database.query(async ({ tables, sql }) => {
      const row = await tables
        .selectFrom('agent_sessions')
        .select(recordColumns(sql))
        .where('id', '=', toStoredText(sessionId))
        .executeTakeFirst();
      return row && recordOf(row);
    });
  }

  findByRun(runId: string): Promise<RunRecord | undefined> {
    return this.database.query(async ({ tables, sql }) => {
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
    {
      limit,
      offset,
      ...of
    }: AgentFilter & { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<readonly SessionRecord[]> {
    return this.database.query(async ({ tables, sql }) => {
      const rows = await tables
        .selectFrom('agent_sessions')
        .select(recordColumns(sql))
        .where(isConversation(owner, of))
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
    return this.database.query(async ({ tables }) => {
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
    return this.database.query((queries) => appendEntries(queries, sessionId, options));
  }

  acquire(
    sessionId: string,
    ttlMs: number,
    { maxPerOwner }: LeaseLimit = {},
  ): Promise<TakenLease | undefined> {
    return this.database.query((queries) => acquireLease(queries, sessionId, ttlMs, maxPerOwner));
  }

  acquireNew(
    session: NewSession,
    ttlMs: number,
    { maxPerOwner }: LeaseLimit = {},
  ): Promise<TakenLease> {
    return this.database.query((queries) =>
      createHeldSession(queries, session, ttlMs, maxPerOwner),
    );
  }

  renew(lease: Lease, ttlMs: number, draft?: Draft): Promise<Renewed> {
    return this.database.query((queries) => renewLease(queries, lease, ttlMs, draft));
  }

  release({ sessionId, token }: Lease): Promise<void> {
    return this.database.query(async ({ tables }) => {
      await tables
        .updateTable('agent_sessions')
        .set({ lease_until: null })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_token', '=', token)
        .execute();
    });
  }

  requestStop(sessionId: string, runId: string): Promise<void> {
    return this.database.query(async ({ tables, sql }) => {
      await tables
        .updateTable('agent_sessions')
        .set({ stop_run: toStoredText(runId) })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_until', '>', now(sql))
        .execute();
    });
  }

  attend(sessionId: string, ttlMs: number): Promise<void> {
    return this.database.query(async ({ tables, sql }) => {
      await tables
        .updateTable('agent_sessions')
        .set({ attended_until: until(sql, ttlMs) })
        .where('id', '=', toStoredText(sessionId))
        .where('lease_until', '>', now(sql))
        .execute();
    });
  }

  deliver(sessionId: string, callId: string, delivery: JsonValue): Promise<boolean> {
    return this.database.query(async ({ tables }) => {
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
            .where('id', '=', toStoredText(sessionId))
            // Waits for a concurrent deletion; then the session does not exist.
            .forKeyShare(),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('call_id')
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  delivered(sessionId: string, callId: string): Promise<JsonValue | undefined> {
    return this.database.query(async ({ tables }) => {
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
    return this.database.query(async ({ tables }) => {
      const row = await tables
        .deleteFrom('agent_sessions')
        .where('id', '=', toStoredText(sessionId))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    });
  }

  deleteAll(owner?: string, of: AgentFilter = {}): Promise<number> {
    return this.database.query(async ({ tables }) => {
      const rows = await tables
        .deleteFrom('agent_sessions')
        .where(isConversation(owner, of))
        .returning('id')
        .execute();
      return rows.length;
    });
  }

  deleteIdle(since: Date): Promise<readonly string[]> {
    return deleteIdle(this.database, since);
  }

  count(owner?: string, of: AgentFilter = {}): Promise<number> {
    return this.database.query(async ({ tables }) => {
      const { sessions } = await tables
        .selectFrom('agent_sessions')
        .select((select) => select.fn.countAll().as('sessions'))
        .where(isConversation(owner, of))
        .executeTakeFirstOrThrow();
      return Number(sessions);
    });
  }

  usage(query: UsageQuery): Promise<readonly UsageSum[]> {
    return this.database.query((queries) => sumsOf(queries, query));
  }

  addUsage(owner: string | undefined, spent: readonly Spending[]): Promise<void> {
    return this.database.query((queries) => addUsage(queries, owner, spent));
  }

  queuedRuns(page: {
    readonly limit: number;
    readonly after?: string;
  }): Promise<readonly WaitingRun[]> {
    return this.database.query((queries) => queuedRuns(queries, page));
  }

  queuedRun(sessionId: string): Promise<QueuedRun | undefined> {
    return this.database.query((queries) => queuedRun(queries, sessionId));
  }

  removeUsage(before: Date): Promise<void> {
    return this.database.query((queries) => removeUsage(queries, before));
  }
}

/**
 * Keeps sessions in PostgreSQL: on a server (`pg`), which several processes may share, or embedded in
 * a folder (PGlite), which needs no server and serves one process. Both need `kysely`. Creates and
 * updates the tables when the store opens.
 *
 * @param options the database of the sessions
 * @throws AgentError `invalid_options` at `open()`, if the address or the folder is no text or empty
 * @throws MissingPackageError at `open()`, if an optional package is not installed
 * @throws DataDirInUseError at `open()`, if another store has the folder open
 * @throws SessionStoreError in every method, if the database cannot be reached or refuses
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
