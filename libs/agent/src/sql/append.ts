import type { Kysely } from 'kysely';
import type { AppendOptions } from '../session';
import type { SqlTag } from './sql-client';
import { toStoredText } from './stored-text';
import type { Tables } from './tables';

/**
 * Appends in one statement, which is a transaction of its own and takes one round trip however
 * long the journal is. Whoever wants the lease waits for the row that it updates, so no append
 * lands after its lease was given away.
 *
 * @param sessionId as stored
 * @returns the new version, or `undefined` where version or lease did not allow it
 */
export async function appendEntries(
  { tables, sql, schema }: { tables: Kysely<Tables>; sql: SqlTag; schema: string | undefined },
  sessionId: string,
  { lease, expectedVersion, entries, checkpoint, discardBefore }: AppendOptions,
): Promise<number | undefined> {
  const table = (name: keyof Tables) => sql.id(...(schema === undefined ? [] : [schema]), name);
  const runIds = entries.flatMap((entry) =>
    entry.type === 'run.started' ? [toStoredText(entry.runId)] : [],
  );
  const readFrom =
    checkpoint && entries.length > 0 ? sql`${expectedVersion + 1}::integer` : sql`read_from`;
  const started =
    runIds.length === 0
      ? sql``
      : sql`, started as (
          insert into ${table('agent_runs')} (run_id, session_id)
          select run.id, head.id from head cross join unnest(${runIds}::text[]) as run(id)
          on conflict do nothing)`;
  const discarded = !discardBefore
    ? sql``
    : sql`, discarded as (
        delete from ${table('agent_entries')} using head
        where session_id = head.id and position < head.read_from)`;
  const { rows } = await sql<{ version: number }>`
    with head as (
      update ${table('agent_sessions')}
      set version = version + ${entries.length}::integer,
          last_used_at = clock_timestamp(),
          read_from = ${readFrom}
      where id = ${sessionId}
        and version = ${expectedVersion}::integer
        and lease_token = ${lease.token}::integer
        and lease_until > clock_timestamp()
      returning id, version, read_from
    ), written as (
      insert into ${table('agent_entries')} (session_id, position, entry)
      select head.id, ${expectedVersion}::integer + added.place::integer, added.entry
      from head
      cross join unnest(${entries.map((entry) => JSON.stringify(entry))}::text[])
        with ordinality as added(entry, place)
    )${started}${discarded}
    select version from head`.execute(tables);
  return rows[0]?.version;
}
