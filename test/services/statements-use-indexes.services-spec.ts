import type { SessionStore } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { dropSchema, newSchemaName, runSql } from './postgres';
import { RecordedPool } from './recorded-pool';

const LEASE_MS = 60_000;
const ENTRY = { v: 1, type: 'groups.changed', active: [] } as const;

describe('among 20 000 sessions, of 5 000 owners, a statement of the store', () => {
  const schema = newSchemaName();
  const recorded = new RecordedPool();
  const { pool } = recorded;
  const store: SessionStore = sqlStore({ client: pool, schema });

  /** The tables that the last statement scanned sequentially. */
  const readAsAWhole = async (): Promise<readonly string[]> => {
    const lines = await recorded.planOfLast();
    return lines.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
  };

  beforeAll(async () => {
    await store.open?.();
    const of = (table: string) => `"${schema}".${table}`;
    await runSql(
      `insert into ${of('agent_sessions')} (id, owner) select i, i % 5000 from generate_series(1, 20000) i`,
    );
    await runSql(
      `insert into ${of('agent_sessions')} (id, owner, last_used_at) select 'old' || i, 'away', now() - interval '1 day' from generate_series(1, 2000) i`,
    );
    await runSql(
      `insert into ${of('agent_queued')} (session_id, owner, run_id, attempt, facts) select i, i % 5000, i, 1, '{}' from generate_series(1, 5000) i`,
    );
    await runSql(`analyze ${of('agent_sessions')}`);
    await runSql(`analyze ${of('agent_queued')}`);
  });
  beforeEach(() => (recorded.sent = []));
  afterAll(async () => {
    await pool.end();
    await dropSchema(schema);
  });

  it('that takes a lease reads none as a whole', async () => {
    const lease = await store.acquire('1', LEASE_MS, { maxPerOwner: 8 });
    expect(await readAsAWhole()).toEqual([]);
    if (lease) await store.release(lease);
  });

  it('that counts the runs of an owner without queued ones reads none of others', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query(`select "${schema}".agent_living_leases('away')`);
    // The planner may look at the last row of an index.
    const read = await client.query<{ relname: string }>(
      `select relname from pg_stat_xact_user_tables
       where schemaname = $1 and seq_tup_read + coalesce(idx_tup_fetch, 0) > 1`,
      [schema],
    );
    await client.query('rollback');
    client.release();
    expect(read.rows).toEqual([{ relname: 'agent_sessions' }]);
  });

  it('that queues a run reads none as a whole', async () => {
    const lease = await store.acquire('10001', LEASE_MS);
    if (!lease) throw new Error('Nobody has this session.');
    const queued = { runId: 'r', attempt: 1, facts: {} };
    const options = { lease, expectedVersion: 0, entries: [ENTRY], queued };
    const { outstanding } = await store.append('10001', options);
    expect(outstanding).toBe(1);
    expect(await readAsAWhole()).toEqual([]);
  });

  it("that lists an owner's sessions reads none as a whole", async () => {
    expect(await store.list('1', { limit: 50 })).toHaveLength(4);
    expect(await readAsAWhole()).toEqual([]);
  });

  it("that lists an owner's many sessions passes over no others'", async () => {
    expect(await store.list('away', { limit: 50, agent: null })).toHaveLength(50);
    const plan = (await recorded.planOfLast()).join('\n');
    expect(plan).toMatch(/agent_sessions_conversations/);
    expect(plan).not.toMatch(/Filter: .*owner/);
  });
});
