import type { Kysely, Transaction } from 'kysely';
import type { SqlTag } from './sql-client';
import type { Tables } from './tables';

/** One step of the tables' history. A released one never changes. */
export interface Migration {
  readonly version: number;
  up(db: Kysely<Tables> | Transaction<Tables>, sql: SqlTag): Promise<void>;
}

const sessionsEntriesAndRuns: Migration = {
  version: 1,
  async up({ schema }, sql) {
    // Every append and every renewal updates a session's row. Without an index on what they change,
    // and with room in the page, PostgreSQL does that in place.
    await schema
      .createTable('agent_sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text')
      .addColumn('created_at', 'timestamptz', (column) =>
        column.notNull().defaultTo(sql`clock_timestamp()`),
      )
      .addColumn('last_used_at', 'timestamptz', (column) =>
        column.notNull().defaultTo(sql`clock_timestamp()`),
      )
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('read_from', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('lease_token', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('lease_until', 'timestamptz')
      .modifyEnd(sql`with (fillfactor = 70)`)
      .execute();
    await schema.createIndex('agent_sessions_owner').on('agent_sessions').column('owner').execute();
    await schema
      .createTable('agent_entries')
      .addColumn('session_id', 'text', (column) =>
        column.notNull().references('agent_sessions.id').onDelete('cascade'),
      )
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('entry', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('agent_entries_pkey', ['session_id', 'position'])
      .execute();
    await schema
      .createTable('agent_runs')
      .addColumn('run_id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) =>
        column.notNull().references('agent_sessions.id').onDelete('cascade'),
      )
      .execute();
    await schema.createIndex('agent_runs_session').on('agent_runs').column('session_id').execute();
  },
};

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [sessionsEntriesAndRuns];
