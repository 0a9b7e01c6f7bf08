import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { describeSessionStore } from '../testing/session-store-contract';
import { migrate } from './database/migrator';
import { MIGRATIONS } from './database/migrations';
import { connectSql, type Queries } from './database/sql-client';
import { sqlStore } from './sql.store';

// Creating a database takes seconds, so all suites share one folder.
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nestjs-agent-store-'));
});

afterAll(() => rm(dataDir, { recursive: true }));

describeSessionStore('sqlStore({ dataDir })', { create: () => sqlStore({ dataDir }) });

describe('sqlStore({ dataDir })', () => {
  it('refuses a second store for its open folder, and keeps sessions over a restart', async () => {
    const id = randomUUID();
    const store = sqlStore({ dataDir });
    await store.create({ id, owner: 'alice' });
    const other = sqlStore({ dataDir: join(dataDir, '..', dataDir.split('/').at(-1) ?? '') });
    await expect(other.open()).rejects.toMatchObject({
      code: 'data_dir_in_use',
      message: expect.stringContaining('is open already') as string,
    });
    expect(await store.find('nobody')).toBeUndefined();
    await store.close();
    expect(await other.find(id)).toMatchObject({ id, owner: 'alice' });
    await other.close();
  });
});

describe('over the PGlite of an application', () => {
  let client: PGlite;
  beforeAll(async () => {
    client = await PGlite.create(dataDir);
  });
  afterAll(() => client.close());

  it('creates a session whose id was taken for a moment, whatever its owner may run', async () => {
    const store = sqlStore({ client, schema: 'taken' });
    const session = { id: randomUUID(), owner: 'alice' };
    await store.create(session);
    const query = client.query.bind(client);
    const removing = jest.spyOn(client, 'query').mockImplementation(async (text, params) => {
      const result = await query(text, params);
      if (text.includes('insert into')) await query('delete from taken.agent_sessions');
      removing.mockRestore();
      return result;
    });
    const lease = await store.acquireNew?.(session, 60_000, { maxPerOwner: 2 });
    expect(lease?.record).toMatchObject({ ...session, isHeld: true });
    await store.close();
  });

  it('works over a PGlite that it is given, and leaves it open', async () => {
    const store = sqlStore({ client, schema: 'given' });
    const id = randomUUID();
    await store.create({ id });
    await store.close();
    const { rows } = await client.query('select id from given.agent_sessions');
    expect(rows).toEqual([{ id }]);
  });

  describe('migrate()', () => {
    const schema = 'migrated';
    const last = MIGRATIONS.length;
    const next = {
      version: last + 1,
      up: async ({ db, sql, named }: Queries) => {
        await sql`create table ${named('agent_extra')} (id text)`.execute(db);
      },
    };

    it('runs what is new, once, and all of it or nothing', async () => {
      const connection = await connectSql({ client, schema });
      const versions = async () => {
        const { db, sql, named } = connection;
        const stored = sql`select version from ${named('agent_migrations')} order by version`;
        return (await stored.execute(db)).rows;
      };
      const known = MIGRATIONS.map(({ version }) => ({ version }));
      try {
        await migrate(connection);
        await migrate(connection);
        expect(await versions()).toEqual(known);

        const broken = {
          version: last + 2,
          up: async (): Promise<void> => {
            throw new Error('broken');
          },
        };
        await expect(migrate(connection, [...MIGRATIONS, next, broken])).rejects.toThrow('broken');
        expect(await versions()).toEqual(known);

        await migrate(connection, [...MIGRATIONS, next]);
        expect(await versions()).toEqual([...known, { version: last + 1 }]);
        await expect(migrate(connection)).rejects.toThrow(
          `is at migration ${last + 1}, and this release of nestjs-agent knows ${last}.`,
        );
      } finally {
        await connection.close();
      }
    });

    it('numbers migrations from 1, without gaps', () => {
      expect(MIGRATIONS.map(({ version }) => version)).toEqual(
        MIGRATIONS.map((_, index) => index + 1),
      );
    });
  });
});

it('a store says so where it is used after its client was closed', async () => {
  const client = await PGlite.create(dataDir);
  const store = sqlStore({ client, schema: 'closed' });
  await store.open();
  await client.close();
  await expect(store.count()).rejects.toMatchObject({
    code: 'store_unavailable',
    message: 'The session database cannot be reached. Check that it is running and where it is.',
  });
});
