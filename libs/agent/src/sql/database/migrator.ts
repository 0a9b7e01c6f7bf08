import type { Transaction } from 'kysely';
import { SessionStoreError } from '../../session';
import { type Migration, MIGRATIONS } from './migrations';
import type { SqlConnection } from './sql-client';
import type { Tables } from './tables';

/** The same number in every process, so that only one migrates at a time. */
const MIGRATION_LOCK = 0x6e61_6774;

/**
 * Migrates the tables in one transaction: completely or not at all. Processes that boot together wait
 * for each other. If the tables are up to date, it needs only the right to read.
 *
 * @throws SessionStoreError if a newer release has migrated the database further
 */
export async function migrate(
  connection: SqlConnection,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const { db, sql, schema } = connection;
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
    const tables = schema === undefined ? transaction : transaction.withSchema(schema);
    if (!(await hasTables(transaction, connection))) await begin(transaction, connection);
    const { applied } = await tables
      .selectFrom('agent_migrations')
      .select(({ fn }) => fn.max('version').as('applied'))
      .executeTakeFirstOrThrow();
    const current = Number(applied ?? 0);
    refuseNewer(current, migrations.at(-1)?.version ?? 0);
    for (const migration of migrations) {
      if (migration.version <= current) continue;
      await migration.up(tables, sql, schema);
      await tables.insertInto('agent_migrations').values({ version: migration.version }).execute();
    }
  });
}

async function hasTables(
  transaction: Transaction<Tables>,
  { sql, schema }: SqlConnection,
): Promise<boolean> {
  const name =
    schema === undefined
      ? sql`'agent_migrations'`
      : sql`format('%I.agent_migrations', ${schema}::text)`;
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${name}) is not null as found
  `.execute(transaction);
  return rows[0]?.found === true;
}

async function begin(
  transaction: Transaction<Tables>,
  { sql, schema }: SqlConnection,
): Promise<void> {
  if (schema !== undefined) await transaction.schema.createSchema(schema).ifNotExists().execute();
  const tables = schema === undefined ? transaction : transaction.withSchema(schema);
  await tables.schema
    .createTable('agent_migrations')
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('applied_at', 'timestamptz', (column) =>
      column.notNull().defaultTo(sql`clock_timestamp()`),
    )
    .execute();
}

function refuseNewer(current: number, known: number): void {
  if (current <= known) return;
  throw new SessionStoreError(
    'store_failed',
    `The session database is at migration ${current}, and this release of nestjs-agent knows ${known}. ` +
      'Update nestjs-agent, or give this process a schema of its own.',
  );
}
