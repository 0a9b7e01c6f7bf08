/**
 * A session store on PostgreSQL, as a server or embedded. Needs the optional peer `kysely`, and `pg` or
 * `@electric-sql/pglite`.
 *
 * @module nestjs-agent/sql
 */
export { DataDirInUseError } from './database';
export { MissingPackageError } from '../tool';
export type { PGliteClient, SqlClient, SqlStoreOptions } from './database';
export { sqlStore } from './sql.store';
