import { type SessionStore } from 'nestjs-agent';
import { sqlStore } from 'nestjs-agent/sql';
import { databaseUrl, newSchemaName, runSql } from './postgres';
import { SilentLine } from './silent-line';

describe('a session store whose database falls silent without closing its connections', () => {
  const schema = newSchemaName();
  const line = new SilentLine(databaseUrl());
  let store: SessionStore;
  beforeAll(async () => {
    const address = new URL(databaseUrl());
    address.host = await line.open();
    address.searchParams.set('query_timeout', '300');
    store = sqlStore({ connectionString: address.href, schema, maxConnections: 2 });
    await store.open?.();
  });
  afterAll(async () => {
    await store.close?.();
    await line.close();
    await runSql(`drop schema if exists "${schema}" cascade`);
  });

  it('goes on over new connections, after one statement on each of the old ones', async () => {
    await Promise.all([store.find('a'), store.find('b')]);
    line.silence();
    const lost = await Promise.allSettled([store.find('a'), store.find('b')]);
    expect(lost).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ code: 'store_unavailable' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'store_unavailable' }) },
    ]);
    expect(await Promise.all([store.find('a'), store.find('b')])).toEqual([undefined, undefined]);
  });
});
