import type { JsonValue } from '../message';
import type { RecordedEntry, SessionStore } from '../session';
import { appendEntries } from './append';
import { queuedRun, queuedRuns } from './queued-runs';
import { deleteIdle, isConversation } from './conversations';
import { createHeldSession, createSession } from './create-session';
import { Database, type Queries, type SqlStoreOptions, until } from './database';
import { acquireLease, renewLease } from './leases';
import { recordColumns, recordOf, type RecordRow } from './session-row';
import { toStoredText } from './stored-text';
import { addUsage, removeUsage, sumsOf } from './usage';

type Methods = Required<Omit<SessionStore, 'open' | 'close' | 'deleteIdle'>>;

/** The methods of a store as work on the open database, whose clock decides on leases. */
const METHODS: {
  readonly [Name in keyof Methods]: (
    queries: Queries,
    ...args: Parameters<Methods[Name]>
  ) => ReturnType<Methods[Name]>;
} = {
  create: createSession,
  async find({ db, sql, named }, sessionId) {
    const { rows } = await sql<RecordRow>`
      select ${recordColumns(sql)} from ${named('agent_sessions')}
      where id = ${toStoredText(sessionId)}`.execute(db);
    return rows[0] && recordOf(rows[0]);
  },
  async findByRun({ db, sql, named }, runId) {
    const { rows } = await sql<RecordRow & { readonly position: number }>`
      select ${recordColumns(sql)}, position
      from ${named('agent_runs')} join ${named('agent_sessions')} on id = session_id
      where run_id = ${toStoredText(runId)}`.execute(db);
    return rows[0] && { ...recordOf(rows[0]), runStart: rows[0].position };
  },
  async list({ db, sql, named }, owner, { limit = null, offset = 0, ...of } = {}) {
    const { rows } = await sql<RecordRow>`
      select ${recordColumns(sql)} from ${named('agent_sessions')}
      where ${isConversation(sql, owner, of)}
      order by last_used_at desc, id
      limit ${limit}::bigint offset ${offset}::bigint`.execute(db);
    return rows.map(recordOf);
  },
  async read({ db, sql, named }, sessionId, from = 1, { limit = null } = {}) {
    const { rows } = await sql<{ readonly position: number; readonly entry: string }>`
      select position, entry from ${named('agent_entries')}
      where session_id = ${toStoredText(sessionId)} and position >= ${from}::integer
      order by position
      limit ${limit}::bigint`.execute(db);
    return rows.map(({ position, entry }) => ({
      position,
      entry: JSON.parse(entry) as RecordedEntry,
    }));
  },
  append: appendEntries,
  acquire: acquireLease,
  acquireNew: createHeldSession,
  renew: renewLease,
  async release({ db, sql, named }, { sessionId, token }) {
    await sql`
      update ${named('agent_sessions')} set lease_until = null
      where id = ${toStoredText(sessionId)} and lease_token = ${token}::integer`.execute(db);
  },
  async requestStop({ db, sql, named }, sessionId, runId) {
    await sql`
      update ${named('agent_sessions')} set stop_run = ${toStoredText(runId)}
      where id = ${toStoredText(sessionId)} and lease_until > clock_timestamp()`.execute(db);
  },
  async attend({ db, sql, named }, sessionId, ttlMs) {
    await sql`
      update ${named('agent_sessions')} set attended_until = ${until(sql, ttlMs)}
      where id = ${toStoredText(sessionId)} and lease_until > clock_timestamp()`.execute(db);
  },
  async deliver({ db, sql, named }, sessionId, callId, delivery) {
    // `for key share` waits for a concurrent deletion; then the session does not exist.
    const { rows } = await sql`
      insert into ${named('agent_deliveries')} (session_id, call_id, delivery)
      select id, ${toStoredText(callId)}::text, ${JSON.stringify(delivery)}::text
      from ${named('agent_sessions')} where id = ${toStoredText(sessionId)}
      for key share
      on conflict do nothing
      returning call_id`.execute(db);
    return rows.length > 0;
  },
  async delivered({ db, sql, named }, sessionId, callId) {
    const { rows } = await sql<{ readonly delivery: string }>`
      select delivery from ${named('agent_deliveries')}
      where session_id = ${toStoredText(sessionId)} and call_id = ${toStoredText(callId)}`.execute(
      db,
    );
    return rows[0] && (JSON.parse(rows[0].delivery) as JsonValue);
  },
  async delete({ db, sql, named }, sessionId) {
    const { rows } = await sql`
      delete from ${named('agent_sessions')} where id = ${toStoredText(sessionId)}
      returning id`.execute(db);
    return rows.length > 0;
  },
  async deleteAll({ db, sql, named }, owner, of) {
    const { rows } = await sql`
      delete from ${named('agent_sessions')} where ${isConversation(sql, owner, of)}
      returning id`.execute(db);
    return rows.length;
  },
  async count({ db, sql, named }, owner, of) {
    const { rows } = await sql<{ readonly sessions: number }>`
      select count(*)::integer as sessions from ${named('agent_sessions')}
      where ${isConversation(sql, owner, of)}`.execute(db);
    return rows[0]?.sessions ?? 0;
  },
  usage: sumsOf,
  addUsage,
  removeUsage,
  queuedRuns,
  queuedRun,
};

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
  const database = new Database(options);
  const methods = Object.entries(METHODS).map(([name, method]) => [
    name,
    (...args: unknown[]) =>
      database.query(
        (queries) => Reflect.apply(method, undefined, [queries, ...args]) as Promise<unknown>,
      ),
  ]);
  return {
    ...(Object.fromEntries(methods) as Methods),
    deleteIdle: (since) => deleteIdle(database, since),
    open: () => database.query(() => Promise.resolve()),
    close: () => database.close(),
  };
}
