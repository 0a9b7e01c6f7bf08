// The database of the store: the connection (server or embedded), its tables and migrations.
export { DataDirInUseError } from './data-dir-lock';
export { ago, isFree, until } from './database-clock';
export { Database } from './database';
export type { Queries, SqlTag } from './sql-client';
export { codeOf } from './sql-errors';
export type { PGliteClient, SqlClient, SqlStoreOptions } from './sql-options';
