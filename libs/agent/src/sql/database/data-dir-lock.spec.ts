import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUseError, lockDataDir } from './data-dir-lock';
import type { FolderClaim } from './folder-claim';
import { ownIdentity } from './process-identity';

const STALE_MS = 400;

describe('lockDataDir()', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'nestjs-agent-lock-'));
  });

  afterEach(() => rm(dataDir, { recursive: true }));

  /** Writes a claim as another process would, with its last heartbeat so long ago. */
  async function leaveClaim(owner: object, agoMs = 0, state = 'holds'): Promise<string> {
    const path = join(dataDir, 'nestjs-agent-0123456789abcdef.lock');
    await writeFile(path, JSON.stringify({ ...ownIdentity(), ...owner, state }));
    const at = new Date(Date.now() - agoMs);
    await utimes(path, at, at);
    return path;
  }

  /** The old claim was removed, and this process's is the only one until its release. */
  async function expectOurs(lock: FolderClaim): Promise<void> {
    const [file = '', ...others] = await readdir(dataDir);
    expect(others).toEqual([]);
    expect(JSON.parse(await readFile(join(dataDir, file), 'utf8'))).toMatchObject({
      ...ownIdentity(),
      state: 'holds',
    });
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  }

  it('is held by one, until it is released, and leaves nothing', async () => {
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUseError);
    await lock.confirm();
    await lock.release();
    await (await lockDataDir(dataDir)).release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('knows a folder under another name', async () => {
    const lock = await lockDataDir(dataDir);
    const alias = `${dataDir}-alias`;
    await symlink(dataDir, alias);
    await expect(lockDataDir(alias)).rejects.toThrow(DataDirInUseError);
    await rm(alias);
    await lock.release();
  });

  it('is given to one of ten that come at once', async () => {
    const locks = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataDir(dataDir)));
    const held = locks.flatMap((lock) => (lock.status === 'fulfilled' ? [lock.value] : []));
    expect(held).toHaveLength(1);
    expect(await readdir(dataDir)).toHaveLength(1);
    await held[0]?.release();
  });

  describe('of another process', () => {
    let holder: ChildProcess;

    /** The process has its own temporary folder, as services often do. */
    beforeEach(async () => {
      const own = join(__dirname, 'data-dir-lock.ts');
      const hook = join(__dirname, '../../../../../test/support/typescript-hook.cjs');
      const code = `require(${JSON.stringify(own)}).lockDataDir(${JSON.stringify(dataDir)})
        .then(() => { console.log('held'); setInterval(() => {}, 1e6); })`;
      holder = spawn(process.execPath, ['--require', hook, '-e', code], {
        env: { ...process.env, TMPDIR: join(dataDir, '..', 'another') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(holder.stdout as NodeJS.ReadableStream, 'data');
    });

    async function kill(): Promise<void> {
      if (holder.signalCode !== null) return;
      const gone = once(holder, 'exit');
      holder.kill('SIGKILL');
      await gone;
    }

    afterEach(kill);

    it('holds whatever their temp folders are', async () => {
      await expect(lockDataDir(dataDir)).rejects.toMatchObject({ code: 'data_dir_in_use' });
    });

    it('is over as soon as the process is killed', async () => {
      await kill();
      await (await lockDataDir(dataDir)).release();
      expect(await readdir(dataDir)).toEqual([]);
    });

    it('holds while the process is stopped, however long', async () => {
      holder.kill('SIGSTOP');
      const [file = ''] = await readdir(dataDir);
      const long = new Date(Date.now() - 3_600_000);
      await utimes(join(dataDir, file), long, long);
      await expect(lockDataDir(dataDir, STALE_MS)).rejects.toThrow(DataDirInUseError);
    });
  });

  it('does not take a later process of the same number for its holder', async () => {
    await leaveClaim({ startedAt: '1' });
    await expectOurs(await lockDataDir(dataDir));
  });

  describe('of another machine', () => {
    const elsewhere = { machine: 'elsewhere' };

    it('holds while its heart beats', async () => {
      const path = await leaveClaim(elsewhere);
      const beating = setInterval(() => void leaveClaim(elsewhere), STALE_MS / 10);
      await expect(lockDataDir(dataDir, STALE_MS)).rejects.toMatchObject({
        message: expect.stringContaining(path) as string,
      });
      clearInterval(beating);
    });

    it('is over once its heart has not beaten for long', async () => {
      await leaveClaim(elsewhere, 2 * STALE_MS);
      const lock = await lockDataDir(dataDir, STALE_MS);
      expect(await readdir(dataDir)).toHaveLength(1);
      await lock.release();
    });

    it('is waited for where its process may just have died', async () => {
      await leaveClaim(elsewhere);
      await expectOurs(await lockDataDir(dataDir, STALE_MS));
    });

    it('is known to who was given up while it stood still', async () => {
      const lock = await lockDataDir(dataDir, STALE_MS);
      const [file = ''] = await readdir(dataDir);
      expect(JSON.parse(await readFile(join(dataDir, file), 'utf8'))).toMatchObject({
        pid: process.pid,
        state: 'holds',
      });
      await rm(join(dataDir, file));
      const end = performance.now() + STALE_MS;
      while (performance.now() < end);
      await expect(lock.confirm()).rejects.toMatchObject({ code: 'store_failed' });
      await lock.release();
    });
  });
});
