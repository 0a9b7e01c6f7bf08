import { createHash } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '../tool';

/** Another store, here or in another process, has the folder open; `code` is `data_dir_in_use`. */
export class DataDirInUseError extends AgentError {
  /** @internal */
  constructor(dataDir: string) {
    super(
      'data_dir_in_use',
      `The session folder ${dataDir} is open already, and embedded PostgreSQL serves one process. ` +
        'Stop the other process, give this one its own dataDir, or use a served PostgreSQL.',
    );
  }
}

/**
 * Keeps a second store out of a folder, which PGlite itself would let in and spoil the data. The
 * lock is a listening socket: the system gives it up when its process dies, however it dies.
 *
 * @returns what unlocks the folder
 * @throws DataDirInUseError
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const address = addressOf(await realpath(dataDir));
  const server =
    (await listen(address)) ?? ((await isAlive(address)) ? undefined : await listenAnew(address));
  if (!server) throw new DataDirInUseError(dataDir);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function addressOf(path: string): string {
  const name = `nestjs-agent-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.unref();
    server.once('error', (error) =>
      'code' in error && error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

function isAlive(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A killed process leaves its socket's file behind. */
async function listenAnew(address: string): Promise<Server | undefined> {
  await rm(address, { force: true });
  return listen(address);
}
