import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlStore } from 'nestjs-agent/sql';
import { newDatabase } from './support/new-database';
import { killAfterWrites } from './support/processes/killed-writer';

describe('sessions in an embedded PostgreSQL', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'nestjs-agent-kill-'));
    await (await newDatabase(dataDir)).close();
  });

  afterAll(() => rm(dataDir, { recursive: true }));

  it('lose nothing that was stored when their process is killed, again and again', async () => {
    for (const writes of [1, 7, 30]) {
      const told = await killAfterWrites({ dataDir }, 'session', writes);
      const store = sqlStore({ dataDir });
      const record = await store.find('session');
      const stored = await store.read('session');
      await store.close();
      expect(record?.version).toBeGreaterThanOrEqual(told);
      expect(record?.version).toBe(stored.length);
      expect(stored.length % 2).toBe(0);
    }
  }, 120_000);
});
