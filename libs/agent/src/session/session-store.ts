import type { SessionEntry, StoredEntry } from './session-entry';

/** A session without its journal. */
export interface SessionRecord {
  readonly id: string;
  /** The principal it belongs to; `undefined` where nobody was logged in. */
  readonly owner?: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** The position of the last entry; 0 of an empty journal. */
  readonly version: number;
  /** Reading from here is enough to know the session's present state; 1 without a checkpoint. */
  readonly readFrom: number;
}

/** The right to write to a session, held by one run at a time. */
export interface Lease {
  readonly sessionId: string;
  /** Grows with every acquisition: a writer with an older one is fenced off. */
  readonly token: number;
}

export interface AppendOptions {
  readonly lease: Lease;
  /** The position the writer believes to be the last. */
  readonly expectedVersion: number;
  readonly entries: readonly SessionEntry[];
  /** Sets `readFrom` to the position of the first of these entries. */
  readonly checkpoint?: boolean;
  /** Removes what stands before the checkpoint. */
  readonly discardBefore?: boolean;
}

/**
 * Where sessions live. Every method is atomic; times are the store's own where it has a clock
 * shared by several processes, else this process's.
 */
export interface SessionStore {
  /** @throws SessionExistsError where the id is taken */
  create(session: { readonly id: string; readonly owner?: string }): Promise<SessionRecord>;
  find(sessionId: string): Promise<SessionRecord | undefined>;
  /** The session whose journal holds this run's `run.started`. */
  findByRun(runId: string): Promise<SessionRecord | undefined>;
  /** An owner's sessions, the last used first. */
  list(
    owner: string,
    page?: { readonly limit?: number; readonly offset?: number },
  ): Promise<readonly SessionRecord[]>;
  /** Entries from a position on (1 by default), in order. */
  read(
    sessionId: string,
    from?: number,
    page?: { readonly limit?: number },
  ): Promise<readonly StoredEntry[]>;
  /**
   * Appends, touches `lastUsedAt`, and answers with the new version.
   *
   * @throws VersionConflictError where somebody else appended
   * @throws LeaseLostError where the lease has expired or another one was given since
   * @throws SessionNotFoundError
   */
  append(sessionId: string, options: AppendOptions): Promise<number>;
  /** The lease, or `undefined` while another one is alive. @throws SessionNotFoundError */
  acquire(sessionId: string, ttlMs: number): Promise<Lease | undefined>;
  /** Prolongs; `false` where it was lost. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Gives the lease back; nothing happens where it was lost. */
  release(lease: Lease): Promise<void>;
  /** Removes a session and all that belongs to it; `false` where there was none. */
  delete(sessionId: string): Promise<boolean>;
  /** Removes an owner's sessions, or all; answers how many. */
  deleteAll(owner?: string): Promise<number>;
  /** Removes sessions not used since, except those under a live lease; answers their ids. */
  deleteIdle(since: Date): Promise<readonly string[]>;
  count(owner?: string): Promise<number>;
  /** Opens connections and migrates; called once at boot. */
  open?(): Promise<void>;
  close?(): Promise<void>;
}
