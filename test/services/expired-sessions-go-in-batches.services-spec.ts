import { Pool } from 'pg';
import type { SessionStore } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';
import { RecordedPool } from './recorded-pool';

const EXPIRED = 2_500;
const BATCH = 1_000;

describe('the removal of expired sessions from PostgreSQL', () => {
  const schema = newSchemaName();
  const recorded = new RecordedPool();
  const { pool } = recorded;
  const store: SessionStore = sqlStore({ client: pool, schema });

  beforeAll(async () => {
    await store.open?.();
  });
  beforeEach(async () => {
    await runSql(
      `insert into "${schema}".agent_sessions (id, last_used_at)
       select i, now() - case when i <= ${EXPIRED} then interval '2 hours' else interval '0' end
       from generate_series(1, 20000) i on conflict (id) do nothing`,
    );
    await runSql(`analyze "${schema}".agent_sessions`);
    recorded.sent = [];
  });
  afterAll(async () => {
    await pool.end();
    await dropSchema(schema);
  });

  const remove = () => store.deleteIdle(new Date(Date.now() - 3_600_000));

  it('takes a thousand at a time, found by an index', async () => {
    expect(await remove()).toHaveLength(EXPIRED);
    expect(recorded.sent).toHaveLength(Math.ceil(EXPIRED / BATCH));
    const plan = await recorded.planOfLast();
    expect(plan.join('\n')).toContain('agent_sessions_last_used_at');
  });

  it('spares what others use, though the clock of this process is ahead', async () => {
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000);
    try {
      expect(await remove()).toHaveLength(EXPIRED);
    } finally {
      clock.mockRestore();
    }
  });

  it('spares what was used since then, though the statement comes late', async () => {
    await runSql(
      `update "${schema}".agent_sessions set last_used_at = now() - interval '50 minutes' where id = '20000'`,
    );
    const since = new Date(Date.now() - 3_600_000);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 1_800_000);
    try {
      expect(await store.deleteIdle(since)).toHaveLength(EXPIRED);
    } finally {
      clock.mockRestore();
    }
  });

  it('waits for no other process that is at it', async () => {
    const other = new Pool({ connectionString: databaseUrl(), max: 1 });
    await other.query('begin');
    await other.query(`select id from "${schema}".agent_sessions where id = '1' for update`);
    const removed = await remove();
    expect(removed).toHaveLength(EXPIRED - 1);
    expect(removed).not.toContain('1');
    await other.query('rollback');
    await other.end();
    expect(await remove()).toEqual(['1']);
  });
});
