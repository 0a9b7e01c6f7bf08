import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSessionStore } from '../testing/session-store-contract';
import { sqlStore } from './sql.store';

let folder: string;

describeSessionStore('sqlStore({ dataDir })', {
  create: async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestjs-agent-store-'));
    return sqlStore({ dataDir: folder });
  },
  destroy: () => rm(folder, { recursive: true }),
});
