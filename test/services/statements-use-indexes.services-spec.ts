import { Pool, type PoolClient } from 'pg';
import type { SessionStore } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { databaseUrl, newSchemaName, runSql } from './postgres';

const LEASE_MS = 60_000;
const ENTRY = { v: 1, type: 'groups.changed', active: [] } as const;

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

describe('among 20 000 sessions, of 5 000 owners, a statement of the store', () => {
  const schema = newSchemaName();
  const pool = new Pool({ connectionString: databaseUrl(), max: 1 });
  const store: SessionStore = sqlStore({ client: pool, schema });
  let sent: Statement[] = [];

  /** The tables that the last statement reads as a whole. */
  const readAsAWhole = async (): Promise<readonly string[]> => {
    const { text, values } = sent.at(-1) ?? { text: '', values: [] };
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const lines = rows.map((row) => row['QUERY PLAN']);
    return lines.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
  };

  beforeAll(async () => {
    pool.on('connect', (client: PoolClient) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [text, values] = args as [unknown, unknown[]?];
        if (typeof text === 'string') sent.push({ text, values: values ?? [] });
        return query(...args);
      }) as typeof client.query;
    });
    await store.open?.();
    const of = (table: string) => `"${schema}".${table}`;
    await runSql(
      `insert into ${of('agent_sessions')} (id, owner) select i, i % 5000 from generate_series(1, 20000) i`,
    );
    await runSql(
      `insert into ${of('agent_queued')} (session_id, run_id, attempt, facts) select i, i, 1, '{}' from generate_series(1, 5000) i`,
    );
    await runSql(`analyze ${of('agent_sessions')}`);
    await runSql(`analyze ${of('agent_queued')}`);
  });
  beforeEach(() => (sent = []));
  afterAll(async () => {
    await pool.end();
    await runSql(`drop schema if exists "${schema}" cascade`);
  });

  it('that takes a lease reads none as a whole', async () => {
    const lease = await store.acquire('1', LEASE_MS, { maxPerOwner: 8 });
    expect(await readAsAWhole()).toEqual([]);
    if (lease) await store.release(lease);
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
});
