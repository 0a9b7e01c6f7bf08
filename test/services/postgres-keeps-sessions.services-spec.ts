import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import { sqlStore } from 'nestjs-agent/sql';
import { describeSessionStore } from 'nestjs-agent/testing';
import { Client, Pool } from 'pg';
import { freePort } from '../support/free-port';
import { databaseUrl, dropSchema, newSchemaName, runSql } from './postgres';

const connectionString = databaseUrl();
const schema = newSchemaName();

describeSessionStore('sqlStore({ connectionString })', {
  create: () => sqlStore({ connectionString, schema }),
  createPeer: () => sqlStore({ connectionString, schema }),
  destroy: () => dropSchema(schema),
});

describe('sqlStore on a served PostgreSQL', () => {
  const own = newSchemaName();

  afterEach(() => dropSchema(own));

  /** A store with a session, whose connections are identifiable by their name. */
  async function storeOfItsOwnName() {
    const named = `agent-${randomUUID()}`;
    const url = new URL(connectionString);
    url.searchParams.set('application_name', named);
    const store = sqlStore({ connectionString: url.href, schema: own });
    const id = randomUUID();
    await store.create({ id });
    return { store, named, id };
  }

  it('says that an idle connection broke, and goes on with another', async () => {
    const heard = new Promise<unknown>((resolve) => {
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(resolve);
    });
    const { store, named, id } = await storeOfItsOwnName();
    await runSql(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [named],
    );
    expect(await heard).toMatch(/^An idle connection to the session database broke \(\w+\)\./);
    expect(await store.find(id)).toMatchObject({ id });
    await store.close();
    jest.restoreAllMocks();
  });

  it('migrates once, however many open it at once', async () => {
    const stores = Array.from({ length: 8 }, () => sqlStore({ connectionString, schema: own }));
    await Promise.all(stores.map((store) => store.open()));
    await Promise.all(stores.map((store) => store.close()));
    const rows = await runSql(`select version from ${own}.agent_migrations order by version`);
    expect(rows).toEqual([{ version: 1 }]);
  });

  it('needs no right to create anything, once the tables are there', async () => {
    const owner = sqlStore({ connectionString, schema: own });
    await owner.open();
    await owner.close();
    const role = `${own}_app`;
    await runSql(`create role ${role}`);
    await runSql(`grant usage on schema ${own} to ${role}`);
    await runSql(`grant select, insert, update, delete on all tables in schema ${own} to ${role}`);
    const url = new URL(connectionString);
    url.searchParams.set('options', `-c role=${role}`);
    const store = sqlStore({ connectionString: url.href, schema: own });
    const id = randomUUID();
    await store.create({ id, owner: 'alice' });
    expect(await store.find(id)).toMatchObject({ owner: 'alice' });
    await store.close();
    await dropSchema(own);
    await runSql(`drop role ${role}`);
  });

  it('keeps sessions over a restart', async () => {
    const id = randomUUID();
    const before = sqlStore({ connectionString, schema: own });
    await before.create({ id, owner: 'alice' });
    await before.close();
    const after = sqlStore({ connectionString, schema: own });
    expect(await after.find(id)).toMatchObject({ owner: 'alice' });
    await after.close();
  });

  it('refuses a database that a newer release has migrated', async () => {
    const store = sqlStore({ connectionString, schema: own });
    await store.open();
    await runSql(`insert into ${own}.agent_migrations (version) values (999)`);
    await store.close();
    await expect(store.open()).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('is at migration 999') as string,
    });
    await store.close();
  });

  it('works over a pool that it is given, and leaves it open', async () => {
    const pool = new Pool({ connectionString });
    const store = sqlStore({ client: pool, schema: own });
    const id = randomUUID();
    await store.create({ id });
    await store.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('works over a Kysely that it is given, whatever its plugins do to names', async () => {
    const dialect = new PostgresDialect({ pool: new Pool({ connectionString }) });
    const kysely = new Kysely<{ readonly orders: { readonly id: string } }>({
      dialect,
      plugins: [new CamelCasePlugin()],
    });
    const store = sqlStore({ client: kysely, schema: own });
    const id = randomUUID();
    await store.create({ id, owner: 'alice' });
    expect(await store.find(id)).toMatchObject({ id, version: 0, readFrom: 1 });
    await store.close();
    await kysely.destroy();
  });

  it('refuses a single client, which cannot serve runs side by side', async () => {
    const client = new Client({ connectionString });
    const store = sqlStore({ client: client as unknown as Pool, schema: own });
    await expect(store.open()).rejects.toThrow(/takes a Pool of pg, a PGlite or a Kysely/);
  });

  it('goes on after the server cut every connection', async () => {
    const { store, named, id } = await storeOfItsOwnName();
    await runSql(
      'select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = $1',
      [named],
    );
    // The first calls may still get a dead connection; they fail with our own error.
    let found: unknown;
    for (let attempt = 0; attempt < 20 && found === undefined; attempt += 1) {
      found = await store.find(id).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'store_unavailable' });
      });
    }
    expect(found).toMatchObject({ id });
    await store.close();
  });

  it('says that a statement was cut off, without the driver’s words', async () => {
    const { store, named, id } = await storeOfItsOwnName();
    const blocker = new Client({ connectionString });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(`select 1 from ${own}.agent_sessions where id = $1 for update`, [id]);
    const acquiring = expect(store.acquire(id, 1_000)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(
        /^The session database cannot be reached.*\(57P01\)\.$/,
      ) as string,
    });
    await cutOffWaiting(named);
    await acquiring;
    await blocker.query('rollback');
    await blocker.end();
    await store.close();
  });

  it('says where nothing listens, without the address and the password', async () => {
    const port = await freePort();
    const store = sqlStore({ connectionString: `postgres://bob:s3cret@127.0.0.1:${port}/test` });
    await expect(store.open()).rejects.toMatchObject({
      code: 'store_unavailable',
      message:
        'The session database cannot be reached. Check that it is running and where it is (ECONNREFUSED).',
    });
    await store.close();
  });

  it('says that a database does not exist', async () => {
    const url = new URL(connectionString);
    url.pathname = '/no_such_database';
    const store = sqlStore({ connectionString: url.href });
    await expect(store.open()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'The session database does not exist on that server (3D000).',
    });
    await store.close();
  });

  it('opens later, where the first attempt failed', async () => {
    const store = sqlStore({ connectionString, schema: own });
    await store.open();
    await runSql(`insert into ${own}.agent_migrations (version) values (999)`);
    await store.close();
    await expect(store.count()).rejects.toMatchObject({ code: 'store_failed' });
    await runSql(`delete from ${own}.agent_migrations where version = 999`);
    expect(await store.count()).toBe(0);
    await store.close();
  });
});

/** Terminates the named application's connection once it waits for a lock. */
async function cutOffWaiting(named: string): Promise<void> {
  for (;;) {
    const rows = await runSql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and wait_event_type = 'Lock'`,
      [named],
    );
    if (rows.length > 0) return;
  }
}
