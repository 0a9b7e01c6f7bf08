/**
 * A session store on PostgreSQL, served or embedded. Needs the optional peer `kysely`, and `pg` or
 * `@electric-sql/pglite`.
 *
 * @module nestjs-agent/sql
 */
export { DataDirInUseError } from './data-dir-lock';
export { MissingPackageError } from '../tool';
export type { PGliteClient, SqlClient, SqlStoreOptions } from './sql-options';
export { sqlStore } from './sql.store';
