import {
  type NewSession,
  SessionExistsError,
  SessionNotFoundError,
  type SessionRecord,
} from '../session';
import { codeOf, type Queries } from './database';
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

/** The database itself looks for the parent, so that none is removed between looking and writing. */
function refuseMissingParent(error: unknown): never {
  const code = codeOf(error);
  if (code === FOREIGN_KEY_VIOLATION || code === CHECK_VIOLATION) throw new SessionNotFoundError();
  throw error;
}

function storedOrNull(text: string | undefined): string | null {
  return text === undefined ? null : toStoredText(text);
}
