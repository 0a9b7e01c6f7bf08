import { Client } from 'pg';
import { AgentHealth, type SessionStore } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { OwnPostgres } from './own-postgres';

/** Makes new connections read-only, as on a demoted server, or writable. Open ones keep their mode. */
async function accept(url: string, what: 'reads' | 'writes'): Promise<void> {
  const client = new Client({
    connectionString: url,
    options: '-c default_transaction_read_only=off',
  });
  await client.connect();
  const value = what === 'reads' ? 'on' : 'off';
  await client.query(`alter database postgres set default_transaction_read_only = ${value}`);
  await client.end();
}

describe('a session store whose connection is to a server that no longer accepts writes', () => {
  let postgres: OwnPostgres;
  let store: SessionStore;
  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    const writing = sqlStore({ connectionString: postgres.url });
    await writing.open?.();
    await writing.close?.();
    store = sqlStore({ connectionString: postgres.url, maxConnections: 1 });
  });
  afterAll(async () => {
    await store.close?.();
    await postgres.remove();
  });

  it('says that it is unavailable, and goes on over a new connection to the primary', async () => {
    await accept(postgres.url, 'reads');
    await store.open?.();
    await accept(postgres.url, 'writes');
    await expect(store.create({ id: 'a' })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('accepts no writes') as string,
    });
    await store.create({ id: 'a' });
    expect(await store.find('a')).toMatchObject({ id: 'a' });
  });

  it('is down for a health check until there is a primary', async () => {
    await accept(postgres.url, 'reads');
    const standby = sqlStore({ connectionString: postgres.url, maxConnections: 1 });
    const health = new AgentHealth(standby, null);
    expect((await health.check()).store).toEqual({
      status: 'down',
      message: 'The session database accepts no writes: it has to be the primary server (25006).',
    });
    await accept(postgres.url, 'writes');
    expect((await health.check()).store).toEqual({ status: 'up' });
    await standby.close?.();
  });

  it('says so, too, where it would have to make its tables', async () => {
    await accept(postgres.url, 'reads');
    const fresh = sqlStore({ connectionString: postgres.url, schema: 'fresh' });
    await expect(fresh.open?.()).rejects.toMatchObject({
      message: expect.stringContaining('accepts no writes') as string,
    });
    await fresh.close?.();
  });
});
