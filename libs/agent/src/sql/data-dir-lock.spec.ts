import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUseError, lockDataDir } from './data-dir-lock';

describe('lockDataDir()', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'nestjs-agent-lock-'));
  });

  afterEach(() => rm(dataDir, { recursive: true }));

  it('is held by one, until it unlocks', async () => {
    const unlock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
    await unlock();
    await (
      await lockDataDir(dataDir)
    )();
  });

  it('knows a folder under another name', async () => {
    const unlock = await lockDataDir(dataDir);
    const alias = `${dataDir}-alias`;
    await symlink(dataDir, alias);
    await expect(lockDataDir(alias)).rejects.toThrow(DataDirInUseError);
    await rm(alias);
    await unlock();
  });

  it('does not outlive a process that was killed', async () => {
    const unlock = await lockDataDir(dataDir);
    const address = process.platform === 'win32' ? '' : await socketOf(dataDir);
    await unlock();
    const holder = spawn(process.execPath, [
      '-e',
      `require('node:net').createServer().listen(${JSON.stringify(address)}, () => console.log('held'))`,
    ]);
    await once(holder.stdout, 'data');
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    await (
      await lockDataDir(dataDir)
    )();
  });
});

async function socketOf(dataDir: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  const { realpath } = await import('node:fs/promises');
  const hash = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex');
  return join(tmpdir(), `nestjs-agent-${hash.slice(0, 24)}.sock`);
}
