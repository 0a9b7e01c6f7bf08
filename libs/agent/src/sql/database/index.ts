// The database of the store: the connection (server or embedded), its tables and migrations.
export { DataDirInUseError } from './data-dir-lock';
export { ago, isFree, now, until } from './database-clock';
export { Database, type Queries } from './database';
export { qualified } from './migrations';
export type { SqlTag } from './sql-client';
export { codeOf } from './sql-errors';
export type { PGliteClient, SqlClient, SqlStoreOptions } from './sql-options';
export type { Tables } from './tables';
