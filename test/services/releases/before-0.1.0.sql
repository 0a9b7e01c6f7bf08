CREATE SCHEMA agent_recorded;
CREATE FUNCTION agent_recorded.agent_living_leases(of_owner text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
      begin
        perform pg_advisory_xact_lock(hashtextextended(of_owner, 1851879287));
        return (
          select count(*) from "agent_recorded"."agent_sessions" as session
          where owner = of_owner and parent is null and (
            lease_until > clock_timestamp()
            or exists (select from "agent_recorded"."agent_queued" where session_id = session.id)
          )
        );
      end
      $$;
CREATE TABLE agent_recorded.agent_deliveries (
    session_id text NOT NULL,
    call_id text NOT NULL,
    delivery text NOT NULL
);
CREATE TABLE agent_recorded.agent_entries (
    session_id text NOT NULL,
    "position" integer NOT NULL,
    entry text NOT NULL
);
CREATE TABLE agent_recorded.agent_migrations (
    version integer NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE agent_recorded.agent_queued (
    session_id text NOT NULL,
    run_id text NOT NULL,
    attempt integer NOT NULL,
    queued_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    sealed text,
    facts text NOT NULL
);
CREATE TABLE agent_recorded.agent_runs (
    run_id text NOT NULL,
    session_id text NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE agent_recorded.agent_sessions (
    id text NOT NULL,
    owner text,
    agent text,
    parent text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_used_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    read_from integer DEFAULT 1 NOT NULL,
    lease_token integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    headline text,
    draft text,
    stop_run text,
    attended_until timestamp with time zone,
    CONSTRAINT agent_sessions_check CHECK ((parent <> id))
)
WITH (fillfactor='70');
CREATE TABLE agent_recorded.agent_usage (
    owner text NOT NULL,
    minute integer NOT NULL,
    agent text NOT NULL,
    model text NOT NULL,
    runs bigint NOT NULL,
    tool_calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    total_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    cache_write_tokens bigint NOT NULL,
    reasoning_tokens bigint NOT NULL
)
WITH (fillfactor='70');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 1, '{"v":1,"type":"run.started","runId":"run_Y4fOv8mQm1ht6Gz414jiumRG","modelName":"scripted","startedAt":"2026-11-28T21:29:27.649Z","seq":1}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 2, '{"v":1,"at":"2026-11-28T21:29:27.654Z","type":"message","runId":"run_Y4fOv8mQm1ht6Gz414jiumRG","message":{"role":"user","content":[{"type":"text","text":"where is 17?"}]}}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 3, '{"v":1,"at":"2026-11-28T21:29:27.881Z","seq":2,"pieces":[{"of":"step","step":1,"lengths":"A"}],"type":"step.finished","runId":"run_Y4fOv8mQm1ht6Gz414jiumRG","step":1,"message":{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"get_order","input":{"id":17}}]},"usage":{"inputTokens":10,"outputTokens":5,"totalTokens":15,"cachedInputTokens":0,"cacheWriteTokens":0,"reasoningTokens":0},"finishReason":"tool_use","timing":{"totalMs":5,"firstTokenMs":1},"calls":[{"callId":"call_1","kind":"route"}]}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 4, '{"v":1,"type":"call.settled","runId":"run_Y4fOv8mQm1ht6Gz414jiumRG","result":{"type":"tool_result","tool_use_id":"call_1","content":"{\"id\":17,\"customer\":\"alice\"}","is_error":false},"durationMs":60,"outcome":"ok","seq":5}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 5, '{"v":1,"at":"2026-11-28T21:29:28.071Z","seq":6,"pieces":[{"of":"step","step":2,"lengths":"A"},{"of":"text","lengths":"S"}],"type":"step.finished","runId":"run_Y4fOv8mQm1ht6Gz414jiumRG","step":2,"message":{"role":"assistant","content":[{"type":"text","text":"Order 17 is yours."}]},"usage":{"inputTokens":10,"outputTokens":5,"totalTokens":15,"cachedInputTokens":0,"cacheWriteTokens":0,"reasoningTokens":0},"finishReason":"end_turn","timing":{"totalMs":0,"firstTokenMs":0}}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 6, '{"v":1,"at":"2026-11-28T21:29:28.071Z","type":"run.finished","runId":"run_Y4fOv8mQm1ht6Gz414jiumRG","status":"completed","stopReason":"end_turn","message":"Order 17 is yours.","usage":{"inputTokens":20,"outputTokens":10,"totalTokens":30,"cachedInputTokens":0,"cacheWriteTokens":0,"reasoningTokens":0},"seq":9}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 7, '{"v":1,"type":"run.started","runId":"run_SO7_Dc9M8zU-_zGpASulrazr","modelName":"scripted","startedAt":"2026-11-28T21:29:28.223Z","seq":1}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 8, '{"v":1,"at":"2026-11-28T21:29:28.223Z","type":"message","runId":"run_SO7_Dc9M8zU-_zGpASulrazr","message":{"role":"user","content":[{"type":"text","text":"order three lamps"}]}}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 9, '{"v":1,"at":"2026-11-28T21:29:28.277Z","seq":2,"pieces":[{"of":"step","step":1,"lengths":"A"}],"type":"step.finished","runId":"run_SO7_Dc9M8zU-_zGpASulrazr","step":1,"message":{"role":"assistant","content":[{"type":"tool_use","id":"call_2","name":"place_order","input":{"article":"lamp","quantity":3}}]},"usage":{"inputTokens":10,"outputTokens":5,"totalTokens":15,"cachedInputTokens":0,"cacheWriteTokens":0,"reasoningTokens":0},"finishReason":"tool_use","timing":{"totalMs":0,"firstTokenMs":0},"calls":[{"callId":"call_2","kind":"route","awaits":"approval"}]}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 10, '{"v":1,"type":"action.required","runId":"run_SO7_Dc9M8zU-_zGpASulrazr","action":{"type":"approval","callId":"call_2","name":"place_order","input":{"article":"lamp","quantity":3},"expiresAt":"2099-01-01T00:00:00.000Z"},"toolDigest":"6ed5643ccfb0d9f7018b5cbfbf5df622","seq":5}');
INSERT INTO agent_recorded.agent_entries VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 11, '{"v":1,"at":"2026-11-28T21:29:28.305Z","type":"run.parked","runId":"run_SO7_Dc9M8zU-_zGpASulrazr","seq":6}');
INSERT INTO agent_recorded.agent_migrations VALUES (1, '2026-11-28 21:29:27.470291+00');
INSERT INTO agent_recorded.agent_runs VALUES ('run_Y4fOv8mQm1ht6Gz414jiumRG', 'ses_8qgHLqoRatcxF6BDunaR3Rs4', 1);
INSERT INTO agent_recorded.agent_runs VALUES ('run_SO7_Dc9M8zU-_zGpASulrazr', 'ses_8qgHLqoRatcxF6BDunaR3Rs4', 7);
INSERT INTO agent_recorded.agent_sessions VALUES ('ses_8qgHLqoRatcxF6BDunaR3Rs4', 'alice', NULL, NULL, '2026-11-28 21:29:27.638078+00', '2026-11-28 21:29:28.318192+00', 11, 1, 2, NULL, '{"title":"where is 17?","run":{"runId":"run_SO7_Dc9M8zU-_zGpASulrazr","status":"requires_action"},"permissions":[]}', NULL, NULL, NULL);
INSERT INTO agent_recorded.agent_usage VALUES ('alice', 29931689, 'agent', 'scripted', 2, 2, 30, 15, 45, 0, 0, 0);
ALTER TABLE ONLY agent_recorded.agent_deliveries
    ADD CONSTRAINT agent_deliveries_pkey PRIMARY KEY (session_id, call_id);
ALTER TABLE ONLY agent_recorded.agent_entries
    ADD CONSTRAINT agent_entries_pkey PRIMARY KEY (session_id, "position");
ALTER TABLE ONLY agent_recorded.agent_migrations
    ADD CONSTRAINT agent_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY agent_recorded.agent_queued
    ADD CONSTRAINT agent_queued_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY agent_recorded.agent_runs
    ADD CONSTRAINT agent_runs_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY agent_recorded.agent_sessions
    ADD CONSTRAINT agent_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY agent_recorded.agent_usage
    ADD CONSTRAINT agent_usage_pkey PRIMARY KEY (owner, minute, agent, model);
CREATE INDEX agent_runs_session ON agent_recorded.agent_runs USING btree (session_id);
CREATE INDEX agent_sessions_children ON agent_recorded.agent_sessions USING btree (parent) WHERE (parent IS NOT NULL);
CREATE INDEX agent_sessions_conversations ON agent_recorded.agent_sessions USING btree (owner, agent) WHERE (parent IS NULL);
CREATE INDEX agent_sessions_last_used_at ON agent_recorded.agent_sessions USING btree (last_used_at);
CREATE INDEX agent_usage_minute ON agent_recorded.agent_usage USING btree (minute);
ALTER TABLE ONLY agent_recorded.agent_deliveries
    ADD CONSTRAINT agent_deliveries_session_id_fkey FOREIGN KEY (session_id) REFERENCES agent_recorded.agent_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_recorded.agent_entries
    ADD CONSTRAINT agent_entries_session_id_fkey FOREIGN KEY (session_id) REFERENCES agent_recorded.agent_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_recorded.agent_queued
    ADD CONSTRAINT agent_queued_session_id_fkey FOREIGN KEY (session_id) REFERENCES agent_recorded.agent_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_recorded.agent_runs
    ADD CONSTRAINT agent_runs_session_id_fkey FOREIGN KEY (session_id) REFERENCES agent_recorded.agent_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY agent_recorded.agent_sessions
    ADD CONSTRAINT agent_sessions_parent_fkey FOREIGN KEY (parent) REFERENCES agent_recorded.agent_sessions(id) ON DELETE CASCADE;
