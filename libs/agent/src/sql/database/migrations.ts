import type { Queries } from './sql-client';

/** Separates the locks of owners from the application's own locks. */
const OWNER_LOCK = 0x6e61_6f77;

/** One migration step. Released steps never change. */
export interface Migration {
  readonly version: number;
  up(queries: Queries): Promise<void>;
}

const firstTables: Migration = {
  version: 1,
  async up({ db, sql, named }) {
    const sessions = named('agent_sessions');
    const ofSession = sql`text not null references ${sessions} (id) on delete cascade`;
    const clock = sql`timestamptz not null default clock_timestamp()`;
    const statements = [
      // Every renewal updates a session's row. PostgreSQL does that in place, because no index
      // contains the changed columns and the page has free space. A session that is its own parent
      // would satisfy the foreign key.
      sql`create table ${sessions} (
        id text primary key,
        owner text,
        agent text,
        parent text references ${sessions} (id) on delete cascade check (parent <> id),
        created_at ${clock},
        last_used_at ${clock},
        version integer not null default 0,
        read_from integer not null default 1,
        lease_token integer not null default 0,
        lease_until timestamptz,
        headline text,
        draft text,
        stop_run text,
        attended_until timestamptz
      ) with (fillfactor = 70)`,
      sql`create index agent_sessions_last_used_at on ${sessions} (last_used_at)`,
      // Lists, counts and limits apply to conversations, so children have their own index. It is in the
      // order of lists: otherwise a page of an owner with many sessions would be read from all sessions.
      sql`create index agent_sessions_conversations on ${sessions} (owner, last_used_at, agent)
        where parent is null`,
      sql`create index agent_sessions_children on ${sessions} (parent) where parent is not null`,
      sql`create table ${named('agent_entries')} (
        session_id ${ofSession},
        position integer not null,
        entry text not null,
        primary key (session_id, position)
      )`,
      sql`create table ${named('agent_runs')} (
        run_id text primary key,
        session_id ${ofSession},
        position integer not null
      )`,
      sql`create index agent_runs_session on ${named('agent_runs')} (session_id)`,
      sql`create table ${named('agent_deliveries')} (
        session_id ${ofSession},
        call_id text not null,
        delivery text not null,
        primary key (session_id, call_id)
      )`,
      // Without an owner if it does not count towards the owner's limit, like runs of children.
      sql`create table ${named('agent_queued')} (
        session_id ${ofSession} primary key,
        run_id text not null,
        attempt integer not null,
        queued_at ${clock},
        owner text,
        sealed text,
        facts text not null
      )`,
      sql`create index agent_queued_owner on ${named('agent_queued')} (owner)
        where owner is not null`,
      // A row is updated in place many times within its minute, like those of sessions.
      sql`create table ${named('agent_usage')} (
        owner text not null,
        minute integer not null,
        agent text not null,
        model text not null,
        runs bigint not null,
        tool_calls bigint not null,
        input_tokens bigint not null,
        output_tokens bigint not null,
        total_tokens bigint not null,
        cached_input_tokens bigint not null,
        cache_write_tokens bigint not null,
        reasoning_tokens bigint not null,
        primary key (owner, minute, agent, model)
      ) with (fillfactor = 70)`,
      sql`create index agent_usage_minute on ${named('agent_usage')} (minute)`,
      // Two processes that take leases of one owner must not count the same leases. They wait for
      // each other, and the count is its own statement, which sees the other one's commit. A run that
      // waits for a worker counts for its owner, although its session is not held.
      sql`create function ${named('agent_living_leases')}(of_owner text) returns bigint
        language plpgsql volatile as $body$
        begin
          perform pg_advisory_xact_lock(hashtextextended(of_owner, ${sql.lit(OWNER_LOCK)}));
          return (
            select count(*) from ${sessions}
            where owner = of_owner and parent is null and (
              lease_until > clock_timestamp()
              or id in (select session_id from ${named('agent_queued')} where owner = of_owner)
            )
          );
        end
        $body$`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};

/** In order, without gaps. */
export const MIGRATIONS: readonly Migration[] = [firstTables];
