import type { Kysely, Transaction } from 'kysely';
import { qualified } from './qualified';
import type { SqlTag } from './sql-client';
import type { Tables } from './tables';

/** Separates the locks of owners from the application's own locks. */
const OWNER_LOCK = 0x6e61_6f77;

/** One migration step. Released steps never change. */
export interface Migration {
  readonly version: number;
  /** @param schema the schema of the tables, if it is not the connection's own */
  up(
    db: Kysely<Tables> | Transaction<Tables>,
    sql: SqlTag,
    schema: string | undefined,
  ): Promise<void>;
}

/** Counts of `agent_usage`. */
const COUNTS = [
  'runs',
  'tool_calls',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
];

const firstTables: Migration = {
  version: 1,
  async up(db, sql, schemaName) {
    const { schema } = db;
    const named = (name: string) => qualified({ sql, schema: schemaName }, name);
    // Every renewal updates a session's row. PostgreSQL does that in place, because no index contains
    // the changed columns and the page has free space.
    await schema
      .createTable('agent_sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text')
      .addColumn('agent', 'text')
      .addColumn('parent', 'text', (column) =>
        column
          .references('agent_sessions.id')
          .onDelete('cascade')
          // A session that is its own parent would satisfy the foreign key.
          .check(sql`parent <> id`),
      )
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
      .addColumn('headline', 'text')
      .addColumn('draft', 'text')
      .addColumn('stop_run', 'text')
      .addColumn('attended_until', 'timestamptz')
      .modifyEnd(sql`with (fillfactor = 70)`)
      .execute();
    await schema
      .createIndex('agent_sessions_last_used_at')
      .on('agent_sessions')
      .column('last_used_at')
      .execute();
    // Lists, counts and limits are of conversations, so children have their own index.
    await schema
      .createIndex('agent_sessions_conversations')
      .on('agent_sessions')
      .columns(['owner', 'agent'])
      .where(sql.ref('parent'), 'is', null)
      .execute();
    await schema
      .createIndex('agent_sessions_children')
      .on('agent_sessions')
      .column('parent')
      .where(sql.ref('parent'), 'is not', null)
      .execute();
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
      .addColumn('position', 'integer', (column) => column.notNull())
      .execute();
    await schema.createIndex('agent_runs_session').on('agent_runs').column('session_id').execute();
    await schema
      .createTable('agent_deliveries')
      .addColumn('session_id', 'text', (column) =>
        column.notNull().references('agent_sessions.id').onDelete('cascade'),
      )
      .addColumn('call_id', 'text', (column) => column.notNull())
      .addColumn('delivery', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('agent_deliveries_pkey', ['session_id', 'call_id'])
      .execute();
    await schema
      .createTable('agent_queued')
      .addColumn('session_id', 'text', (column) =>
        column.primaryKey().references('agent_sessions.id').onDelete('cascade'),
      )
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('queued_at', 'timestamptz', (column) =>
        column.notNull().defaultTo(sql`clock_timestamp()`),
      )
      .addColumn('sealed', 'text')
      .addColumn('facts', 'text', (column) => column.notNull())
      .execute();
    const usage = schema
      .createTable('agent_usage')
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('minute', 'integer', (column) => column.notNull())
      .addColumn('agent', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull());
    // A row is updated in place many times within its minute, like those of sessions.
    await COUNTS.reduce(
      (made, count) => made.addColumn(count, 'bigint', (column) => column.notNull()),
      usage,
    )
      .addPrimaryKeyConstraint('agent_usage_pkey', ['owner', 'minute', 'agent', 'model'])
      .modifyEnd(sql`with (fillfactor = 70)`)
      .execute();
    await schema.createIndex('agent_usage_minute').on('agent_usage').column('minute').execute();
    // Two processes that take leases of one owner must not count the same leases. They wait for each
    // other, and the count is its own statement, which sees the other one's commit. A run that waits for
    // a worker counts for its owner, although its session is not held.
    await sql`
      create function ${named('agent_living_leases')}(of_owner text) returns bigint
      language plpgsql volatile as $body$
      begin
        perform pg_advisory_xact_lock(hashtextextended(of_owner, ${sql.lit(OWNER_LOCK)}));
        return (
          select count(*) from ${named('agent_sessions')} as session
          where owner = of_owner and parent is null and (
            lease_until > clock_timestamp()
            or exists (select from ${named('agent_queued')} where session_id = session.id)
          )
        );
      end
      $body$`.execute(db);
  },
};

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [firstTables];
