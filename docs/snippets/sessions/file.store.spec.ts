import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSessionStore } from 'nestjs-agent/testing';
import { FileStore } from '../../../examples/custom-store/src/file.store';

// #region contract
let folder: string;

describeSessionStore('FileStore', {
  create: async () => {
    folder = await mkdtemp(join(tmpdir(), 'sessions-'));
    return new FileStore(folder);
  },
  destroy: () => rm(folder, { recursive: true }),
});
// #endregion contract
