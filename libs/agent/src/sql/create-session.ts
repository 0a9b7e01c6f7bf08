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
import { codeOf, type Queries, type SqlTag, until } from './database';
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
  { db, sql, named }: Queries,
  session: NewSession,
): Promise<SessionRecord> {
  const { rows } = await sql<RecordRow>`
    insert into ${named('agent_sessions')} (id, owner, agent, parent)
    values (${namesOf(sql, session)})
    on conflict do nothing
    returning ${recordColumns(sql)}`
    .execute(db)
    .catch(refuseMissingParent);
  const [row] = rows;
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
  const { db, sql, named } = queries;
  const { id, owner, parent } = session;
  const { maxPerOwner } = limit;
  const isLimited = maxPerOwner !== undefined && owner !== undefined && parent === undefined;
  const leases = sql`${named('agent_living_leases')}(${stored(sql, owner)})`;
  const { entries, headline } = begun;
  const written = entries.length > 0 ? writing(queries, { ...begun, expectedVersion: 0 }) : sql``;
  const { rows } = await sql<RecordRow & { readonly lease_token: number }>`
    with head as (
      insert into ${named('agent_sessions')}
        (id, owner, agent, parent, lease_token, lease_until, version, headline)
      select ${namesOf(sql, session)}, 1, ${until(sql, ttlMs)}, ${entries.length}::integer,
        ${headline ? JSON.stringify(headline) : null}::text
      ${isLimited ? sql`where ${leases} < ${maxPerOwner}` : sql``}
      on conflict do nothing
      returning ${recordColumns(sql)}, lease_token
    )${written} select * from head`
    .execute(db)
    .catch(refuseMissingParent);
  const [row] = rows;
  if (row) return { sessionId: id, token: row.lease_token, record: recordOf(row) };
  if (!isLimited) throw new SessionExistsError();
  const { rows: met } = await sql<{ readonly is_taken: boolean; readonly leases: number }>`
    select ${leases}::integer as leases, exists (
      select from ${named('agent_sessions')} where id = ${toStoredText(id)}
    ) as is_taken`.execute(db);
  if (met.some((each) => each.is_taken)) throw new SessionExistsError();
  if (met.some((each) => each.leases >= maxPerOwner)) throw new TooManyRunsError(maxPerOwner);
  if (tries === 1) throw new SessionExistsError();
  // The reason for the refusal no longer exists.
  return createHeldSession(queries, session, ttlMs, limit, begun, tries - 1);
}

/** Uses the foreign key's error, because a parent could be deleted after a check. */
function refuseMissingParent(error: unknown): never {
  const code = codeOf(error);
  if (code === FOREIGN_KEY_VIOLATION || code === CHECK_VIOLATION) throw new SessionNotFoundError();
  throw error;
}

/** The values of id, owner, agent and parent. */
function namesOf(sql: SqlTag, { id, owner, agent, parent }: NewSession) {
  return sql.join([id, owner, agent, parent].map((text) => stored(sql, text)));
}

function stored(sql: SqlTag, text: string | undefined) {
  return sql`${text === undefined ? null : toStoredText(text)}::text`;
}
