import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Kysely } from 'kysely';
import { describeSessionStore } from '../testing/session-store-contract';
import { migrate } from './migrator';
import { MIGRATIONS } from './migrations';
import { connectSql } from './sql-client';
import { sqlStore } from './sql.store';
import type { Tables } from './tables';

// Making a database takes seconds, so all suites share one folder.
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nestjs-agent-store-'));
});

afterAll(() => rm(dataDir, { recursive: true }));

describeSessionStore('sqlStore({ dataDir })', { create: () => sqlStore({ dataDir }) });

describe('sqlStore({ dataDir })', () => {
  it('keeps sessions over a restart', async () => {
    const id = randomUUID();
    const before = sqlStore({ dataDir });
    await before.create({ id, owner: 'alice' });
    await before.close();
    const after = sqlStore({ dataDir });
    expect(await after.find(id)).toMatchObject({ id, owner: 'alice' });
    await after.close();
  });

  it('lets nobody else into its folder while it is open', async () => {
    const store = sqlStore({ dataDir });
    await store.open();
    const other = sqlStore({ dataDir: join(dataDir, '..', dataDir.split('/').at(-1) ?? '') });
    await expect(other.open()).rejects.toMatchObject({
      code: 'data_dir_in_use',
      message: expect.stringContaining('is open already') as string,
    });
    expect(await store.find('nobody')).toBeUndefined();
    await store.close();
    await other.open();
    await other.close();
  });

  it('works over a PGlite that it is given, and leaves it open', async () => {
    const client = await PGlite.create(dataDir);
    const store = sqlStore({ client, schema: 'given' });
    const id = randomUUID();
    await store.create({ id });
    await store.close();
    const { rows } = await client.query('select id from given.agent_sessions');
    expect(rows).toEqual([{ id }]);
    await client.close();
  });

  it('says so where it is used after its client was closed', async () => {
    const client = await PGlite.create(dataDir);
    const store = sqlStore({ client, schema: 'closed' });
    await store.open();
    await client.close();
    await expect(store.count()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'The session database cannot be reached. Check that it is running and where it is.',
    });
  });
});

describe('migrate()', () => {
  const schema = 'migrated';
  const next = {
    version: 2,
    up: async (db: Kysely<Tables>) => {
      await db.schema.createTable('agent_extra').addColumn('id', 'text').execute();
    },
  };

  it('runs what is new, once, and all of it or nothing', async () => {
    const connection = await connectSql({ dataDir, schema });
    const tables = connection.db.withSchema(schema);
    const versions = () =>
      tables.selectFrom('agent_migrations').select('version').orderBy('version').execute();
    try {
      await migrate(connection);
      await migrate(connection);
      expect(await versions()).toEqual([{ version: 1 }]);

      const broken = {
        version: 3,
        up: async (): Promise<void> => {
          throw new Error('broken');
        },
      };
      await expect(migrate(connection, [...MIGRATIONS, next, broken])).rejects.toThrow('broken');
      expect(await versions()).toEqual([{ version: 1 }]);

      await migrate(connection, [...MIGRATIONS, next]);
      expect(await versions()).toEqual([{ version: 1 }, { version: 2 }]);
      await expect(migrate(connection)).rejects.toThrow(/is at migration 2, and this release/);
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
