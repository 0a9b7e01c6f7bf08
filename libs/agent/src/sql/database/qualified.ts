import type { RawBuilder } from 'kysely';
import type { SqlTag } from './sql-client';

/** The name of a table or function in a written query, with the store's schema if it has one. */
export function qualified(
  { sql, schema }: { readonly sql: SqlTag; readonly schema: string | undefined },
  name: string,
): RawBuilder<unknown> {
  return sql.id(...(schema === undefined ? [] : [schema]), name);
}
