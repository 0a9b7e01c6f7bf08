import type { SqlTag } from './sql-client';

// Not `now()`, which does not advance while a statement waits for a lock.

export function isFree(sql: SqlTag) {
  return sql`(lease_until is null or lease_until <= clock_timestamp())`;
}

export function until(sql: SqlTag, ttlMs: number) {
  return sql`clock_timestamp() + ${ttlMs}::float8 * interval '1 millisecond'`;
}

/** Can be looked up in an index, unlike a time from `clock_timestamp()`. */
export function ago(sql: SqlTag, ms: number) {
  return sql`statement_timestamp() - ${ms}::float8 * interval '1 millisecond'`;
}
