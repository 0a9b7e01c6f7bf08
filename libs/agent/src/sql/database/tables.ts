import type { Generated } from 'kysely';

/** The store's tables after the last migration. */
export interface Tables {
  agent_sessions: {
    id: string;
    owner: string | null;
    /** The agent's name; null for the application's default agent. */
    agent: string | null;
    /** The parent session; null for a conversation of its own. */
    parent: string | null;
    created_at: Generated<Date>;
    last_used_at: Generated<Date>;
    version: Generated<number>;
    read_from: Generated<number>;
    lease_token: Generated<number>;
    lease_until: Date | null;
    /** JSON text, as all JSON here: `jsonb` refuses NUL and lone surrogates, which models write. */
    headline: string | null;
    draft: string | null;
    stop_run: string | null;
    attended_until: Date | null;
  };
  agent_entries: {
    session_id: string;
    position: number;
    entry: string;
  };
  agent_runs: {
    run_id: string;
    session_id: string;
    /** The position of the run's `run.started`. */
    position: number;
  };
  agent_deliveries: {
    session_id: string;
    call_id: string;
    delivery: string;
  };
  agent_usage: {
    /** `ANONYMOUS` without a login. */
    owner: string;
    /** Minutes since 1970. */
    minute: number;
    agent: string;
    model: string;
    runs: number;
    tool_calls: number;
    input_tokens: number;
    output_tokens: number;
    total_tokens: number;
    cached_input_tokens: number;
    cache_write_tokens: number;
    reasoning_tokens: number;
  };
  agent_queued: {
    session_id: string;
    run_id: string;
    attempt: number;
    /** When the run was queued, or last returned. */
    queued_at: Generated<Date>;
    /** The session's owner; null for a child session, which does not count for its owner's limit. */
    owner: string | null;
    sealed: string | null;
    facts: string;
  };
  agent_migrations: {
    version: number;
    applied_at: Generated<Date>;
  };
}
