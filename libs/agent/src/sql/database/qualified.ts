import type { RawBuilder } from 'kysely';
import type { SqlTag } from './sql-client';

/** A table or function of the store in a written query: in the store's schema, where it has one. */
export function qualified(
  { sql, schema }: { readonly sql: SqlTag; readonly schema: string | undefined },
  name: string,
): RawBuilder<unknown> {
  return sql.id(...(schema === undefined ? [] : [schema]), name);
}
