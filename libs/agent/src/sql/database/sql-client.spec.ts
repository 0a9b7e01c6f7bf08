import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { newDatabase } from '../../../../../test/support/new-database';
import type { PGliteClient, SqlStoreOptions } from './sql-options';
import { connectSql } from './sql-client';

describe('connectSql()', () => {
  it.each([
    ['connectionString', { connectionString: undefined }],
    ['connectionString', { connectionString: '' }],
    ['dataDir', { dataDir: undefined }],
  ])('refuses a missing %s, which would lead to some default database', async (name, options) => {
    await expect(connectSql(options as unknown as SqlStoreOptions)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(`sqlStore({ ${name} }) was given none`) as string,
    });
  });

  it('makes no folder for a database in memory', async () => {
    // Making one takes seconds: this is a copy, in the same place.
    jest.spyOn(PGlite, 'create').mockImplementationOnce(newDatabase as typeof PGlite.create);
    const { db, sql, close } = await connectSql({ dataDir: 'memory://orders' });
    await sql`select 1`.execute(db);
    await close();
    expect(existsSync('memory:')).toBe(false);
  });

  it('names a folder that it cannot make, and says what it needs', async () => {
    const dataDir = join(__filename, 'data');
    await expect(connectSql({ dataDir })).rejects.toMatchObject({
      code: 'store_unavailable',
      message: `The session folder ${dataDir} cannot be opened (ENOTDIR). This process must be able to create it, and to read and write in it.`,
    });
  });

  it('refuses what is no client', async () => {
    const client = {} as PGliteClient;
    await expect(connectSql({ client })).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('gives PGlite’s one connection to one at a time', async () => {
    const asked: string[] = [];
    const client: PGliteClient = {
      waitReady: Promise.resolve(),
      query: async (text) => {
        asked.push(text);
        return { rows: [] };
      },
    };
    const { db, sql } = await connectSql({ client });
    await Promise.all([
      db.transaction().execute((transaction) => sql`select 1`.execute(transaction)),
      db.transaction().execute((transaction) => sql`select 2`.execute(transaction)),
    ]);
    expect(asked).toEqual(['begin', 'select 1', 'commit', 'begin', 'select 2', 'commit']);
  });
});
