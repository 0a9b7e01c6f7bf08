export { DataDirInUseError } from './data-dir-lock';
export { MissingPackageError } from './optional-package';
export type { PGliteClient, SqlClient, SqlStoreOptions } from './sql-options';
export { sqlStore } from './sql.store';
