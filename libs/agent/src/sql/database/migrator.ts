import { SessionStoreError } from '../../session';
import { type Migration, MIGRATIONS } from './migrations';
import type { Queries, SqlConnection } from './sql-client';

/** The same number in every process, so that only one migrates at a time. */
const MIGRATION_LOCK = 0x6e61_6774;

/**
 * Migrates the tables in one transaction: completely or not at all. Processes that boot together wait
 * for each other. If the tables are up to date, it needs only the right to read.
 *
 * @throws SessionStoreError if a newer release has migrated the database further
 */
export async function migrate(
  { db: database, sql, named, schema }: SqlConnection,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db);
    const queries: Queries = { db, sql, named };
    if (!(await hasTables(queries, schema))) await begin(queries, schema);
    const { rows } = await sql<{ readonly applied: number | null }>`
      select max(version) as applied from ${named('agent_migrations')}`.execute(db);
    const current = Number(rows[0]?.applied ?? 0);
    refuseNewer(current, migrations.at(-1)?.version ?? 0);
    for (const migration of migrations) {
      const { version } = migration;
      if (version <= current) continue;
      await migration.up(queries);
      await sql`insert into ${named('agent_migrations')} (version) values (${version})`.execute(db);
    }
  });
}

async function hasTables({ db, sql }: Queries, schema: string | undefined): Promise<boolean> {
  const name =
    schema === undefined
      ? sql`'agent_migrations'`
      : sql`format('%I.agent_migrations', ${schema}::text)`;
  const { rows } = await sql<{ readonly found: boolean }>`
    select to_regclass(${name}) is not null as found`.execute(db);
  return rows[0]?.found === true;
}

async function begin({ db, sql, named }: Queries, schema: string | undefined): Promise<void> {
  if (schema !== undefined) await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  await sql`create table ${named('agent_migrations')} (
    version integer primary key,
    applied_at timestamptz not null default clock_timestamp()
  )`.execute(db);
}

function refuseNewer(current: number, known: number): void {
  if (current <= known) return;
  throw new SessionStoreError(
    'store_failed',
    `The session database is at migration ${current}, and this release of nestjs-agent knows ${known}. ` +
      'Update nestjs-agent, or give this process a schema of its own.',
  );
}
