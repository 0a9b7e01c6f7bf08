import type { AgentFilter } from '../session';
import { ago, type Database, isFree, type Queries, type SqlTag } from './database';
import { fromStoredText, toStoredText } from './stored-text';

/** The batch size for expired sessions: a long transaction would block others. */
const IDLE_BATCH = 1_000;

/** A condition: not a child session, and of this owner and agent if given. */
export function isConversation(
  sql: SqlTag,
  owner: string | undefined,
  { agent }: AgentFilter = {},
) {
  const ofOwner = owner === undefined ? sql`` : sql`and owner = ${toStoredText(owner)}`;
  const ofNamed = typeof agent === 'string' ? sql`and agent = ${toStoredText(agent)}` : sql``;
  return sql`parent is null ${ofOwner} ${agent === null ? sql`and agent is null` : ofNamed}`;
}

/**
 * By the server's clock as well: a process whose clock is ahead would remove sessions that others use.
 * By that clock alone, a delayed statement would remove sessions that were used since then.
 */
export async function deleteIdle(
  database: Pick<Database, 'query'>,
  since: Date,
): Promise<readonly string[]> {
  const idleMs = Date.now() - since.getTime();
  const removed: string[] = [];
  for (;;) {
    const batch = await database.query((queries) => deleteIdleBatch(queries, since, idleMs));
    removed.push(...batch);
    if (batch.length < IDLE_BATCH) return removed;
  }
}

/**
 * Deletes complete conversations, each in one statement. It locks all of their rows first: a child
 * leased after the statement began keeps its conversation.
 */
async function deleteIdleBatch(
  { db, sql, named }: Queries,
  since: Date,
  idleMs: number,
): Promise<readonly string[]> {
  const sessions = named('agent_sessions');
  const { rows } = await sql<{ id: string }>`
    with recursive busy (id) as (
      select parent from ${sessions} where parent is not null and not ${isFree(sql)}
      union
      select above.parent
      from ${sessions} as above join busy on busy.id = above.id
      where above.parent is not null
    ), idle as (
      select id from ${sessions}
      where parent is null
        and last_used_at < least(${since.toISOString()}::timestamptz, ${ago(sql, idleMs)})
        and ${isFree(sql)}
        and id not in (select id from busy)
      order by last_used_at
      limit ${sql.lit(IDLE_BATCH)}
      -- Another process may be at it, and a session in use is not idle.
      for update skip locked
    ), tree (id, root) as (
      select id, id from idle
      union all
      select child.id, tree.root from ${sessions} as child join tree on child.parent = tree.id
    ), free as (
      select id from ${sessions}
      where id in (select id from tree) and ${isFree(sql)}
      for update skip locked
    )
    delete from ${sessions}
    where id in (
      select id from tree
      where root not in (select root from tree where id not in (select id from free))
    )
    returning id`.execute(db);
  return rows.map(({ id }) => fromStoredText(id));
}
