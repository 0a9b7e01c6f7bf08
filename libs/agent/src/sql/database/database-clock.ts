import type { ExpressionBuilder } from 'kysely';
import type { SqlTag } from './sql-client';
import type { Tables } from './tables';

/** Not `now()`, which does not advance while a statement waits for a lock. */
export function now(sql: SqlTag) {
  return sql<Date>`clock_timestamp()`;
}

export function isFree(where: ExpressionBuilder<Tables, 'agent_sessions'>, sql: SqlTag) {
  return where('lease_until', 'is', null).or('lease_until', '<=', now(sql));
}

export function until(sql: SqlTag, ttlMs: number) {
  return sql<Date>`clock_timestamp() + ${ttlMs}::float8 * interval '1 millisecond'`;
}

/** Can be looked up in an index, unlike a time from `clock_timestamp()`. */
export function ago(sql: SqlTag, ms: number) {
  return sql<Date>`statement_timestamp() - ${ms}::float8 * interval '1 millisecond'`;
}
