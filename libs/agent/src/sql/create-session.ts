import {
  type AppendOptions,
  type LeaseLimit,
  type NewSession,
  SessionExistsError,
  SessionNotFoundError,
  type SessionRecord,
  type TakenLease,
  TooManyRunsError,
} from '../session';
import { codeOf, qualified, type Queries, until } from './database';
import { recordColumns, recordOf, type RecordRow } from './session-row';
import { toStoredText } from './stored-text';
import { writing } from './writing';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** The first entries of a new session, with headline and usage. */
type Begun = Pick<AppendOptions, 'entries' | 'headline' | 'spent'>;

/** The maximum of attempts if the id, or the owner's last lease, was taken only briefly. */
const MOST_TRIES = 3;

/** @throws SessionExistsError, SessionNotFoundError if the parent does not exist */
export async function createSession(
  { tables, sql }: Queries,
  { id, owner, agent, parent }: NewSession,
): Promise<SessionRecord> {
  const row = await tables
    .insertInto('agent_sessions')
    .values({
      id: toStoredText(id),
      owner: storedOrNull(owner),
      agent: storedOrNull(agent),
      parent: storedOrNull(parent),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(recordColumns(sql))
    .executeTakeFirst()
    .catch(refuseMissingParent);
  if (!row) throw new SessionExistsError();
  return recordOf(row);
}

/** @throws SessionExistsError, SessionNotFoundError if the parent does not exist, TooManyRunsError */
export async function createHeldSession(
  queries: Queries,
  session: NewSession,
  ttlMs: number,
  limit: LeaseLimit = {},
  begun: Begun = { entries: [] },
  tries = MOST_TRIES,
): Promise<TakenLease> {
  const { tables, db, sql } = queries;
  const { id, owner, agent, parent } = session;
  const { maxPerOwner } = limit;
  const text = (value: string | undefined) => sql<string | null>`${storedOrNull(value)}::text`;
  const isLimited = maxPerOwner !== undefined && owner !== undefined && parent === undefined;
  const leases = sql<number>`${qualified(queries, 'agent_living_leases')}(${text(owner)})`;
  const { entries, headline } = begun;
  const head = tables
    .insertInto('agent_sessions')
    .columns([
      ...(['id', 'owner', 'agent', 'parent', 'lease_token', 'lease_until'] as const),
      ...(['version', 'headline'] as const),
    ])
    .expression(
      tables
        .selectNoFrom([
          sql<string>`${toStoredText(id)}::text`.as('id'),
          text(owner).as('owner'),
          text(agent).as('agent'),
          text(parent).as('parent'),
          sql<number>`1`.as('lease_token'),
          until(sql, ttlMs).as('lease_until'),
          sql<number>`${entries.length}::integer`.as('version'),
          sql<string | null>`${headline ? JSON.stringify(headline) : null}::text`.as('headline'),
        ])
        .$if(isLimited, (query) => query.where(leases, '<', maxPerOwner ?? 0)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(recordColumns(sql))
    .returning('lease_token');
  const written = entries.length > 0 ? writing(queries, { ...begun, expectedVersion: 0 }) : sql``;
  const { rows } = await sql<RecordRow & { readonly lease_token: number }>`
    with head as (${head})${written} select * from head`
    .execute(db)
    .catch(refuseMissingParent);
  const [row] = rows;
  if (row) return { sessionId: id, token: row.lease_token, record: recordOf(row) };
  const isTaken = sql<boolean>`exists (${tables
    .selectFrom('agent_sessions')
    .select('id')
    .where('id', '=', toStoredText(id))})`;
  const met =
    isLimited &&
    (await tables
      .selectNoFrom([isTaken.as('is_taken'), leases.as('leases')])
      .executeTakeFirstOrThrow());
  if (!met || met.is_taken) throw new SessionExistsError();
  if (Number(met.leases) >= maxPerOwner) throw new TooManyRunsError(maxPerOwner);
  if (tries === 1) throw new SessionExistsError();
  // The reason of the refusal is gone.
  return createHeldSession(queries, session, ttlMs, limit, begun, tries - 1);
}

/** Uses the foreign key's error, because a parent could be deleted after a check. */
function refuseMissingParent(error: unknown): never {
  const code = codeOf(error);
  if (code === FOREIGN_KEY_VIOLATION || code === CHECK_VIOLATION) throw new SessionNotFoundError();
  throw error;
}

function storedOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}
