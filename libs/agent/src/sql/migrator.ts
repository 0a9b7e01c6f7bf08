import { SessionStoreError } from '../session';
import { MIGRATIONS } from './migrations';
import type { Migration } from './migrations';
import type { SqlConnection } from './sql-client';

/** The same number in every process, so that only one of them migrates at a time. */
const MIGRATION_LOCK = 0x6e61_6774;

/**
 * Brings the tables up to date, in one transaction: all of it happens, or nothing. Processes that
 * boot together wait for each other.
 *
 * @throws SessionStoreError where a newer release has migrated the database further
 */
export async function migrate(
  { db, sql, schema }: SqlConnection,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
    if (schema !== undefined) await transaction.schema.createSchema(schema).ifNotExists().execute();
    const tables = schema === undefined ? transaction : transaction.withSchema(schema);
    await tables.schema
      .createTable('agent_migrations')
      .ifNotExists()
      .addColumn('version', 'integer', (column) => column.primaryKey())
      .addColumn('applied_at', 'timestamptz', (column) =>
        column.notNull().defaultTo(sql`clock_timestamp()`),
      )
      .execute();
    const { applied } = await tables
      .selectFrom('agent_migrations')
      .select(({ fn }) => fn.max('version').as('applied'))
      .executeTakeFirstOrThrow();
    const current = Number(applied ?? 0);
    refuseNewer(current, migrations.at(-1)?.version ?? 0);
    for (const migration of migrations) {
      if (migration.version <= current) continue;
      await migration.up(tables, sql);
      await tables.insertInto('agent_migrations').values({ version: migration.version }).execute();
    }
  });
}

function refuseNewer(current: number, known: number): void {
  if (current <= known) return;
  throw new SessionStoreError(
    'store_failed',
    `The session database is at migration ${current}, and this release of nestjs-agent knows ${known}. ` +
      'Update nestjs-agent, or give this process a schema of its own.',
  );
}
