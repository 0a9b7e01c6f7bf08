import type { Generated } from 'kysely';

/** The store's tables, as the last migration leaves them. */
export interface Tables {
  agent_sessions: {
    id: string;
    owner: string | null;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
    version: Generated<number>;
    read_from: Generated<number>;
    lease_token: Generated<number>;
    lease_until: Date | null;
  };
  agent_entries: {
    session_id: string;
    position: number;
    /** The entry as JSON text: `jsonb` refuses NUL and lone surrogates, which models do write. */
    entry: string;
  };
  agent_runs: {
    run_id: string;
    session_id: string;
  };
  agent_migrations: {
    version: number;
    applied_at: Generated<Date>;
  };
}
