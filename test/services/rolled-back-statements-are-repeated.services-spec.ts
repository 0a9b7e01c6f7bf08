import { randomUUID } from 'node:crypto';
import { sqlStore } from 'nestjs-agent/sql';
import { Client } from 'pg';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';

const APPLICATION = `agent-${randomUUID()}`;

describe('a statement that PostgreSQL rolls back because of others', () => {
  const schema = newSchemaName();
  const connectionString = urlWith({ application_name: APPLICATION });
  const store = sqlStore({ connectionString, schema });

  beforeAll(() => store.open());
  afterAll(async () => {
    await store.close();
    await dropSchema(schema);
  });

  it('is repeated after a deadlock', async () => {
    const owner = randomUUID();
    const ids = [randomUUID(), randomUUID()];
    for (const id of ids) await store.create({ id, owner });
    const other = new Client({ connectionString: databaseUrl() });
    await other.connect();
    const lock = (id?: string) =>
      other.query(`select 1 from ${schema}.agent_sessions where id = $1 for update`, [id]);
    await other.query('begin');
    await lock(ids[1]);
    const deleted = store.deleteAll(owner);
    await waitsForLock();
    // A deadlock: the one that began first is rolled back.
    await lock(ids[0]);
    await other.query('commit');
    await other.end();
    expect(await deleted).toBe(2);
    expect(await store.count(owner)).toBe(0);
  });

  it('is repeated where the database’s transactions are serializable', async () => {
    const url = urlWith({ options: '-c default_transaction_isolation=serializable' });
    const stores = [1, 2].map(() => sqlStore({ connectionString: url, schema }));
    const [owner, id] = [randomUUID(), randomUUID()];
    await store.create({ id, owner });
    const atOnce = Array.from({ length: 20 }, (_, place) => stores[place % 2] ?? store);
    const delivered = await Promise.all(
      atOnce.map(async (each, at) => each.deliver?.(id, 'call', at)),
    );
    expect(delivered.filter(Boolean)).toHaveLength(1);
    const leases = await Promise.all(atOnce.map((each) => each.acquire(id, 60_000)));
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    const deleted = await Promise.all(atOnce.map((each) => each.delete(id)));
    expect(deleted.filter(Boolean)).toHaveLength(1);
    await Promise.all(stores.map((each) => each.close()));
  });

  async function waitsForLock(): Promise<void> {
    for (;;) {
      const rows = await runSql(
        `select 1 from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`,
        [APPLICATION],
      );
      if (rows.length > 0) return;
    }
  }
});

function urlWith(parameters: Readonly<Record<string, string>>): string {
  const url = new URL(databaseUrl());
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
