import {
  type NewSession,
  SessionExistsError,
  SessionNotFoundError,
  type SessionRecord,
  type TakenLease,
  TooManyRunsError,
} from '../session';
import { codeOf, qualified, type Queries, until } from './database';
import { recordColumns, recordOf } from './session-row';
import { toStoredText } from './stored-text';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** @throws SessionExistsError, SessionNotFoundError where there is no such parent */
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

/** @throws SessionExistsError, SessionNotFoundError where there is no such parent, TooManyRunsError */
export async function createHeldSession(
  queries: Queries,
  { id, owner, agent, parent }: NewSession,
  ttlMs: number,
  maxPerOwner: number | undefined,
): Promise<TakenLease> {
  const { tables, sql } = queries;
  const text = (value: string | undefined) => sql<string | null>`${storedOrNull(value)}::text`;
  const isLimited = maxPerOwner !== undefined && owner !== undefined && parent === undefined;
  const leases = sql<number>`${qualified(queries, 'agent_living_leases')}(${text(owner)})`;
  const row = await tables
    .insertInto('agent_sessions')
    .columns(['id', 'owner', 'agent', 'parent', 'lease_token', 'lease_until'])
    .expression(
      tables
        .selectNoFrom([
          sql<string>`${toStoredText(id)}::text`.as('id'),
          text(owner).as('owner'),
          text(agent).as('agent'),
          text(parent).as('parent'),
          sql<number>`1`.as('lease_token'),
          until(sql, ttlMs).as('lease_until'),
        ])
        .$if(isLimited, (query) => query.where(leases, '<', maxPerOwner ?? 0)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(recordColumns(sql))
    .returning('lease_token')
    .executeTakeFirst()
    .catch(refuseMissingParent);
  if (row) return { sessionId: id, token: row.lease_token, record: recordOf(row) };
  if (isLimited && !(await exists(queries, id))) throw new TooManyRunsError(maxPerOwner);
  throw new SessionExistsError();
}

async function exists({ tables }: Queries, sessionId: string): Promise<boolean> {
  const row = await tables
    .selectFrom('agent_sessions')
    .select('id')
    .where('id', '=', toStoredText(sessionId))
    .executeTakeFirst();
  return row !== undefined;
}

/** The database itself looks for the parent, so that none is removed between looking and writing. */
function refuseMissingParent(error: unknown): never {
  const code = codeOf(error);
  if (code === FOREIGN_KEY_VIOLATION || code === CHECK_VIOLATION) throw new SessionNotFoundError();
  throw error;
}

function storedOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}
