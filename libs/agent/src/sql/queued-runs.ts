import type { RawBuilder } from 'kysely';
import type { QueuedRun, WaitingRun } from '../session';
import type { JsonObject } from '../message';
import type { Queries } from './database';
import { fromStoredText, toStoredText } from './stored-text';

/**
 * The part of an append that stores or removes a session's queued run.
 *
 * @param queued `undefined` leaves it unchanged
 */
export function queuedWith(
  queries: Queries,
  queued: QueuedRun | null | undefined,
): RawBuilder<unknown> {
  const { sql, named } = queries;
  const table = named('agent_queued');
  if (queued === undefined) return sql``;
  if (queued === null) {
    return sql`, dequeued as (delete from ${table} using head where session_id = head.id)`;
  }
  const { runId, attempt, sealed = null, facts } = queued;
  return sql`, queued as (
    insert into ${table} (session_id, owner, run_id, attempt, sealed, facts, queued_at)
    select head.id, case when head.parent is null then head.owner end,
      ${toStoredText(runId)}::text, ${attempt}::integer, ${sealed}::text,
      ${JSON.stringify(facts)}::text, clock_timestamp()
    from head
    on conflict (session_id) do update set
      run_id = excluded.run_id, attempt = excluded.attempt, sealed = excluded.sealed,
      facts = excluded.facts, queued_at = excluded.queued_at
  )`;
}

/** The number of the owner's other sessions with a queued run, as a column next to `head`. */
export function outstandingBeside({ sql, named }: Queries): RawBuilder<unknown> {
  return sql`, (
    select count(*)::integer from ${named('agent_queued')} as other
    where other.owner = head.owner and other.session_id <> head.id
  ) as outstanding`;
}

interface QueuedRow {
  readonly run_id: string;
  readonly attempt: number;
  readonly sealed: string | null;
}

interface WaitingRow extends QueuedRow {
  readonly session_id: string;
  readonly owner: string | null;
  readonly agent: string | null;
  readonly is_held: boolean;
  readonly waited_ms: number;
}

export async function queuedRuns(
  { db, sql, named }: Queries,
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
): Promise<readonly WaitingRun[]> {
  const { rows } = await sql<WaitingRow>`
    select session_id, run_id, attempt, sealed, agent_sessions.owner, agent,
      coalesce(lease_until > clock_timestamp(), false) as is_held,
      extract(epoch from clock_timestamp() - queued_at)::float8 * 1000 as waited_ms
    from ${named('agent_queued')} join ${named('agent_sessions')} on id = session_id
    where session_id > ${toStoredText(after)}
    order by session_id
    limit ${limit}::bigint`.execute(db);
  return rows.map(({ session_id, owner, agent, is_held, waited_ms, ...row }) => ({
    sessionId: fromStoredText(session_id),
    ...stayOf(row),
    ...(owner !== null && { owner: fromStoredText(owner) }),
    ...(agent !== null && { agent: fromStoredText(agent) }),
    waitedMs: waited_ms,
    isHeld: is_held,
  }));
}

export async function queuedRun(
  { db, sql, named }: Queries,
  sessionId: string,
): Promise<QueuedRun | undefined> {
  const { rows } = await sql<QueuedRow & { readonly facts: string }>`
    select run_id, attempt, sealed, facts from ${named('agent_queued')}
    where session_id = ${toStoredText(sessionId)}`.execute(db);
  return rows[0] && { ...stayOf(rows[0]), facts: JSON.parse(rows[0].facts) as JsonObject };
}

function stayOf({ run_id, attempt, sealed }: QueuedRow): Omit<QueuedRun, 'facts'> {
  return { runId: fromStoredText(run_id), attempt, ...(sealed !== null && { sealed }) };
}
