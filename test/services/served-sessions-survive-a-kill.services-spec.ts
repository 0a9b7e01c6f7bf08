import { sqlStore } from 'nestjs-agent/sql';
import { killAfterWrites } from '../support/processes/killed-writer';
import { databaseUrl, dropSchema, newSchemaName } from './postgres';

describe('sessions in a served PostgreSQL', () => {
  const options = { connectionString: databaseUrl(), schema: newSchemaName() };

  afterAll(() => dropSchema(options.schema));

  it('lose nothing that was stored when their process is killed, again and again', async () => {
    const store = sqlStore(options);
    for (const writes of [1, 2, 7, 30, 31]) {
      const told = await killAfterWrites(options, 'session', writes);
      // The killed process's last statement may still be running; the end of its lease blocks it.
      while (!(await store.acquire('session', 1))) await store.count();
      const record = await store.find('session');
      const stored = await store.read('session');
      expect(record?.version).toBeGreaterThanOrEqual(told);
      expect(record?.version).toBe(stored.length);
      expect(stored.length % 2).toBe(0);
    }
    await store.close();
  }, 120_000);
});
