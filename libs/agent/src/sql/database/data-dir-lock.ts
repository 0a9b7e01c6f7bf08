import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '../../tool';
import { CLAIM_FILE, FolderClaim, readClaim } from './folder-claim';
import { isAlive } from './process-identity';

/** Another store, in this or another process, has the folder open; `code` is `data_dir_in_use`. */
export class DataDirInUseError extends AgentError {
  /** @internal */
  constructor(dataDir: string, lockFile: string) {
    super(
      'data_dir_in_use',
      `The session folder ${dataDir} is open already, and embedded PostgreSQL serves one process. ` +
        'Stop the other process, give this one its own dataDir, or use a served PostgreSQL. ' +
        `${lockFile} says which process it is.`,
    );
  }
}

/**
 * Milliseconds without a heartbeat after which a process in another container or on another machine
 * counts as dead. PGlite may block the event loop for seconds.
 */
const STALE_MS = 20_000;

/**
 * Prevents a second store from opening a folder: PGlite itself would allow it and corrupt the data.
 * A process first writes its claim into the folder, then looks for others': of two simultaneous
 * processes, at least one sees the other. Whether a claim's process is alive is decided by the
 * operating system if it can tell, otherwise by the claim's heartbeat.
 *
 * @throws DataDirInUseError
 */
export async function lockDataDir(dataDir: string, staleMs = STALE_MS): Promise<FolderClaim> {
  const claim = await FolderClaim.make(dataDir, staleMs);
  try {
    for (const file of await readdir(dataDir)) {
      if (CLAIM_FILE.test(file) && file !== claim.file) await outlive(claim, dataDir, file);
    }
    await claim.hold();
    return claim;
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/**
 * Waits until another claim is gone; removes it if its process is dead.
 *
 * @throws DataDirInUseError if its process is alive and holds the folder, or has precedence
 */
async function outlive(claim: FolderClaim, dataDir: string, file: string): Promise<void> {
  const path = join(dataDir, file);
  const first = await readClaim(path);
  for (;;) {
    const other = await readClaim(path);
    if (first === undefined || other === undefined) return;
    const alive = other.owner && isAlive(other.owner);
    const isBeating = other.beatAt !== first.beatAt;
    if (alive === false || (alive === undefined && !isBeating && (await claim.outlasts(other)))) {
      await rm(path, { force: true });
      return;
    }
    const isKnownAlive = alive === true || isBeating;
    if (isKnownAlive && (other.isHeld || file < claim.file)) {
      throw new DataDirInUseError(dataDir, path);
    }
    await delay(claim.staleMs / 40);
  }
}
