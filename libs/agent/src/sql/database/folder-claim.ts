import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonIn } from '../../internal';
import { SessionStoreError } from '../../session';
import { ownIdentity, type ProcessIdentity } from './process-identity';
import { codeOf } from './sql-errors';

/** The file names of claims. */
export const CLAIM_FILE = /^nestjs-agent-[0-9a-f]{16}\.lock$/;

/** The content of a claim's file. */
export interface SeenClaim {
  /** Missing while the file is being written. */
  readonly owner?: ProcessIdentity;
  readonly isHeld: boolean;
  /** The last heartbeat, by the clock that stamps the folder's files. */
  readonly beatAt: number;
}

/** This process's claim to a folder, waiting or held: a file with a heartbeat. */
export class FolderClaim {
  readonly file = `nestjs-agent-${randomBytes(8).toString('hex')}.lock`;
  private readonly path: string;
  private readonly owner = ownIdentity();
  private beatAt = 0;
  private isHeld = false;
  private isLost = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly dataDir: string,
    readonly staleMs: number,
  ) {
    this.path = join(dataDir, this.file);
  }

  /** @param staleMs milliseconds without a heartbeat after which others may remove the claim */
  static async make(dataDir: string, staleMs: number): Promise<FolderClaim> {
    const claim = new FolderClaim(dataDir, staleMs);
    claim.beatAt = performance.now();
    await writeFile(claim.path, claim.content, { flag: 'wx' });
    const beat = (): void => void claim.beat().catch(() => undefined);
    claim.timer = setInterval(beat, staleMs / 10).unref();
    return claim;
  }

  /** Marks the folder as held. */
  async hold(): Promise<void> {
    this.isHeld = true;
    await this.beat();
    await this.confirm();
  }

  /** Whether another claim has had no heartbeat for so long that its process counts as dead. */
  async outlasts({ beatAt }: SeenClaim): Promise<boolean> {
    await this.beat();
    const own = await readClaim(this.path);
    return own !== undefined && own.beatAt - beatAt > this.staleMs;
  }

  /**
   * Call it before each use of the folder. Does no I/O unless this process was suspended.
   *
   * @throws SessionStoreError if another process has taken the folder meanwhile
   */
  async confirm(): Promise<void> {
    if (performance.now() - this.beatAt > this.staleMs / 2) await this.beat();
    if (!this.isLost) return;
    throw new SessionStoreError(
      'store_failed',
      `The session folder ${this.dataDir} was taken by another process while this one stood still. Restart this one.`,
    );
  }

  /** Unlocks the folder. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    await rm(this.path, { force: true });
  }

  /** Has the same length held or not, so that it can be overwritten. */
  private get content(): string {
    return JSON.stringify({ ...this.owner, state: this.isHeld ? 'holds' : 'wants' });
  }

  private async beat(): Promise<void> {
    const beatAt = performance.now();
    try {
      // Writes instead of touching, so that the folder's own clock stamps the file.
      await writeFile(this.path, this.content, { flag: 'r+' });
      this.beatAt = beatAt;
    } catch (error) {
      // A claim that others removed has no file.
      if (!isMissing(error)) throw error;
      this.isLost = true;
    }
  }
}

/** `undefined` if the file no longer exists. */
export async function readClaim(path: string): Promise<SeenClaim | undefined> {
  try {
    const { mtimeMs: beatAt } = await stat(path);
    const { state, ...owner } = parsed(await readFile(path, 'utf8'));
    const isHeld = state === 'holds';
    return isIdentity(owner) ? { owner, isHeld, beatAt } : { isHeld, beatAt };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function parsed(text: string): { readonly state?: unknown } {
  const value = jsonIn(text);
  return typeof value === 'object' && value !== null ? value : {};
}

function isIdentity(value: object): value is ProcessIdentity {
  return (
    'machine' in value &&
    typeof value.machine === 'string' &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  );
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}
