import {
  type Appended,
  type AppendOptions,
  type Lease,
  LeaseLostError,
  SessionNotFoundError,
  VersionConflictError,
} from '../session';
import type { Queries } from './database';
import { outstandingBeside, queuedWith } from './queued-runs';
import { signalColumns, signalsOf, type SignalRow } from './session-row';
import { toStoredText } from './stored-text';
import { writing } from './writing';

/**
 * Appends in one statement: one transaction and one round trip, however long the journal is. It locks
 * the row with the lease, so no append succeeds after its lease was given to another writer.
 *
 * @throws SessionNotFoundError, LeaseLostError or VersionConflictError if nothing was appended
 */
export async function appendEntries(
  queries: Queries,
  sessionId: string,
  options: AppendOptions,
): Promise<Appended> {
  const { lease, expectedVersion, entries, headline, readFrom, discardBefore, release } = options;
  const { db, sql, named } = queries;
  const discarded = !discardBefore
    ? sql``
    : sql`, discarded as (
        delete from ${named('agent_entries')} using head
        where session_id = head.id and position < head.read_from)`;
  const { queued } = options;
  const outstanding = queued ? outstandingBeside(queries) : sql``;
  const { rows } = await sql<{ version: number; outstanding?: number } & SignalRow>`
    with head as (
      update ${named('agent_sessions')}
      set version = version + ${entries.length}::integer,
          last_used_at = clock_timestamp(),
          draft = null
          ${headline ? sql`, headline = ${JSON.stringify(headline)}` : sql``}
          ${readFrom === undefined ? sql`` : sql`, read_from = ${readFrom}::integer`}
          ${release ? sql`, lease_until = null` : sql``}
      where id = ${toStoredText(sessionId)}
        and version = ${expectedVersion}::integer
        and lease_token = ${lease.token}::integer
        and lease_until > clock_timestamp()
      returning id, owner, parent, version, read_from, ${signalColumns(sql)}
    )${writing(queries, options)}${discarded}${queuedWith(queries, queued)}
    select version, stop_run, is_attended${outstanding} from head`.execute(db);
  const [row] = rows;
  if (row === undefined) return explainRefusal(queries, sessionId, lease);
  return {
    version: row.version,
    signals: signalsOf(row),
    ...(row.outstanding !== undefined && { outstanding: row.outstanding }),
  };
}

/** Finds out with a second query why an append found no row. */
async function explainRefusal(
  { db, sql, named }: Queries,
  sessionId: string,
  lease: Lease,
): Promise<never> {
  const { rows } = await sql<{ readonly is_held: boolean | null }>`
    select lease_token = ${lease.token}::integer and lease_until > clock_timestamp() as is_held
    from ${named('agent_sessions')} where id = ${toStoredText(sessionId)}`.execute(db);
  const [row] = rows;
  if (!row) throw new SessionNotFoundError();
  throw row.is_held ? new VersionConflictError() : new LeaseLostError();
}
