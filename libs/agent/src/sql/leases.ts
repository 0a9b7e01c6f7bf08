import {
  type Draft,
  type Lease,
  type LeaseLimit,
  type Renewed,
  SessionNotFoundError,
  type TakenLease,
  TooManyRunsError,
} from '../session';
import { isFree, type Queries, until } from './database';
import {
  recordColumns,
  recordOf,
  type RecordRow,
  signalColumns,
  type SignalRow,
  signalsOf,
} from './session-row';
import { toStoredText } from './stored-text';

/** @returns `undefined` if the session is held */
export async function acquireLease(
  queries: Queries,
  sessionId: string,
  ttlMs: number,
  { maxPerOwner }: LeaseLimit = {},
): Promise<TakenLease | undefined> {
  const { db, sql, named } = queries;
  const isWithin =
    maxPerOwner === undefined ? sql`` : sql`and ${ownersLeases(queries)} < ${maxPerOwner}`;
  const { rows } = await sql<RecordRow & { readonly lease_token: number }>`
    update ${named('agent_sessions')}
    set lease_token = lease_token + 1, lease_until = ${until(sql, ttlMs)},
      stop_run = null, attended_until = null
    where id = ${toStoredText(sessionId)} and ${isFree(sql)} ${isWithin}
    returning ${recordColumns(sql)}, lease_token`.execute(db);
  const [row] = rows;
  if (row) return { sessionId, token: row.lease_token, record: recordOf(row) };
  await explainBusy(queries, sessionId, maxPerOwner);
  return undefined;
}

export async function renewLease(
  { db, sql, named }: Queries,
  { sessionId, token }: Lease,
  ttlMs: number,
  draft?: Draft,
): Promise<Renewed> {
  const { rows } = await sql<SignalRow>`
    update ${named('agent_sessions')}
    set lease_until = ${until(sql, ttlMs)}
      ${draft ? sql`, draft = ${JSON.stringify(draft)}` : sql``}
    where id = ${toStoredText(sessionId)} and lease_token = ${token}
      and lease_until > clock_timestamp()
    returning ${signalColumns(sql)}`.execute(db);
  const [row] = rows;
  return { isHeld: row !== undefined, signals: row ? signalsOf(row) : {} };
}

/** Finds out why a lease was refused: no such session, the owner's limit, or a held session. */
async function explainBusy(
  queries: Queries,
  sessionId: string,
  maxPerOwner = Infinity,
): Promise<void> {
  const { db, sql, named } = queries;
  const leases = maxPerOwner === Infinity ? sql`0` : ownersLeases(queries);
  const { rows } = await sql<{ readonly is_free: boolean; readonly leases: number }>`
    select ${isFree(sql)} as is_free, (${leases})::integer as leases
    from ${named('agent_sessions')} where id = ${toStoredText(sessionId)}`.execute(db);
  const [row] = rows;
  if (!row) throw new SessionNotFoundError();
  if (row.is_free && row.leases >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
}

/** The owner's other valid leases; 0 without an owner, and for a child. */
function ownersLeases({ sql, named }: Queries) {
  return sql`case
    when owner is null or parent is not null then 0
    else ${named('agent_living_leases')}(owner) end`;
}
