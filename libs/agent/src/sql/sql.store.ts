import type { JsonValue } from '../message';
import type { RecordedEntry, SessionStore } from '../session';
import { appendEntries } from './append';
import { queuedRun, queuedRuns } from './queued-runs';
import { deleteIdle, isConversation } from './conversations';
import { createHeldSession, createSession } from './create-session';
import { Database, now, type Queries, type SqlStoreOptions, until } from './database';
import { acquireLease, renewLease } from './leases';
import { recordColumns, recordOf } from './session-row';
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
  async find({ tables, sql }, sessionId) {
    const row = await tables
      .selectFrom('agent_sessions')
      .select(recordColumns(sql))
      .where('id', '=', toStoredText(sessionId))
      .executeTakeFirst();
    return row && recordOf(row);
  },
  async findByRun({ tables, sql }, runId) {
    const row = await tables
      .selectFrom('agent_runs')
      .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
      .select(recordColumns(sql))
      .select('agent_runs.position')
      .where('agent_runs.run_id', '=', toStoredText(runId))
      .executeTakeFirst();
    return row && { ...recordOf(row), runStart: row.position };
  },
  async list({ tables, sql }, owner, { limit, offset, ...of } = {}) {
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
  },
  async read({ tables }, sessionId, from = 1, { limit } = {}) {
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
  },
  append: appendEntries,
  acquire: acquireLease,
  acquireNew: createHeldSession,
  renew: renewLease,
  async release({ tables }, { sessionId, token }) {
    await tables
      .updateTable('agent_sessions')
      .set({ lease_until: null })
      .where('id', '=', toStoredText(sessionId))
      .where('lease_token', '=', token)
      .execute();
  },
  async requestStop({ tables, sql }, sessionId, runId) {
    await tables
      .updateTable('agent_sessions')
      .set({ stop_run: toStoredText(runId) })
      .where('id', '=', toStoredText(sessionId))
      .where('lease_until', '>', now(sql))
      .execute();
  },
  async attend({ tables, sql }, sessionId, ttlMs) {
    await tables
      .updateTable('agent_sessions')
      .set({ attended_until: until(sql, ttlMs) })
      .where('id', '=', toStoredText(sessionId))
      .where('lease_until', '>', now(sql))
      .execute();
  },
  async deliver({ tables }, sessionId, callId, delivery) {
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
  },
  async delivered({ tables }, sessionId, callId) {
    const row = await tables
      .selectFrom('agent_deliveries')
      .select('delivery')
      .where('session_id', '=', toStoredText(sessionId))
      .where('call_id', '=', toStoredText(callId))
      .executeTakeFirst();
    return row && (JSON.parse(row.delivery) as JsonValue);
  },
  async delete({ tables }, sessionId) {
    const row = await tables
      .deleteFrom('agent_sessions')
      .where('id', '=', toStoredText(sessionId))
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  },
  async deleteAll({ tables }, owner, of) {
    const rows = await tables
      .deleteFrom('agent_sessions')
      .where(isConversation(owner, of))
      .returning('id')
      .execute();
    return rows.length;
  },
  async count({ tables }, owner, of) {
    const { sessions } = await tables
      .selectFrom('agent_sessions')
      .select((select) => select.fn.countAll().as('sessions'))
      .where(isConversation(owner, of))
      .executeTakeFirstOrThrow();
    return Number(sessions);
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
