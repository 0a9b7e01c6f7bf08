import type { RawBuilder } from 'kysely';
import type { QueuedRun, WaitingRun } from '../session';
import type { JsonObject } from '../message';
import { now, qualified, type Queries } from './database';
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
  const { sql } = queries;
  const table = qualified(queries, 'agent_queued');
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
export function outstandingBeside(queries: Queries): RawBuilder<unknown> {
  const { sql } = queries;
  return sql`, (
    select count(*)::integer from ${qualified(queries, 'agent_queued')} as other
    where other.owner = head.owner and other.session_id <> head.id
  ) as outstanding`;
}

export async function queuedRuns(
  { tables, sql }: Queries,
  { limit, after = '' }: { readonly limit: number; readonly after?: string },
): Promise<readonly WaitingRun[]> {
  const rows = await tables
    .selectFrom('agent_queued')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_queued.session_id')
    .select(['session_id', 'run_id', 'attempt', 'sealed', 'agent_sessions.owner', 'agent'])
    .select([
      sql<boolean>`coalesce(lease_until > ${now(sql)}, false)`.as('is_held'),
      sql<number>`extract(epoch from clock_timestamp() - queued_at)::float8 * 1000`.as('waited_ms'),
    ])
    .where('session_id', '>', toStoredText(after))
    .orderBy('session_id')
    .limit(limit)
    .execute();
  return rows.map(({ session_id, run_id, attempt, sealed, owner, agent, is_held, waited_ms }) => ({
    sessionId: fromStoredText(session_id),
    runId: fromStoredText(run_id),
    attempt,
    ...(sealed !== null && { sealed }),
    ...(owner !== null && { owner: fromStoredText(owner) }),
    ...(agent !== null && { agent: fromStoredText(agent) }),
    waitedMs: waited_ms,
    isHeld: is_held,
  }));
}

export async function queuedRun(
  { tables }: Queries,
  sessionId: string,
): Promise<QueuedRun | undefined> {
  const row = await tables
    .selectFrom('agent_queued')
    .select(['run_id', 'attempt', 'sealed', 'facts'])
    .where('session_id', '=', toStoredText(sessionId))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { run_id, attempt, sealed, facts } = row;
  return {
    runId: fromStoredText(run_id),
    attempt,
    ...(sealed !== null && { sealed }),
    facts: JSON.parse(facts) as JsonObject,
  };
}
