import {
  type Draft,
  type Lease,
  type LeaseLimit,
  type Renewed,
  SessionNotFoundError,
  type TakenLease,
  TooManyRunsError,
} from '../session';
import { isFree, now, qualified, type Queries, until } from './database';
import { recordColumns, recordOf, signalColumns, signalsOf } from './session-row';
import { toStoredText } from './stored-text';

/** @returns `undefined` if the session is held */
export async function acquireLease(
  queries: Queries,
  sessionId: string,
  ttlMs: number,
  { maxPerOwner }: LeaseLimit = {},
): Promise<TakenLease | undefined> {
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
  await explainBusy(queries, sessionId, maxPerOwner);
  return undefined;
}

export async function renewLease(
  { tables, sql }: Queries,
  { sessionId, token }: Lease,
  ttlMs: number,
  draft?: Draft,
): Promise<Renewed> {
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
}

/** Finds out why a lease was refused: no such session, the owner's limit, or a held session. */
async function explainBusy(
  { tables, sql, schema }: Queries,
  sessionId: string,
  maxPerOwner: number | undefined,
): Promise<void> {
  const row = await tables
    .selectFrom('agent_sessions')
    .select((where) => isFree(where, sql).as('is_free'))
    .$if(maxPerOwner !== undefined, (query) =>
      query.select(ownersLeases({ sql, schema }).as('leases')),
    )
    .where('id', '=', toStoredText(sessionId))
    .executeTakeFirst();
  if (!row) throw new SessionNotFoundError();
  if (!row.is_free || maxPerOwner === undefined) return;
  if (Number(row.leases ?? 0) >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
}

/** The owner's other valid leases; 0 without an owner, and for a child. */
function ownersLeases(queries: Pick<Queries, 'sql' | 'schema'>) {
  const counting = qualified(queries, 'agent_living_leases');
  return queries.sql<number>`case
    when owner is null or parent is not null then 0 else ${counting}(owner) end`;
}
