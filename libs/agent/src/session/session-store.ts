import type { SessionEntry, StoredEntry } from './session-entry';

/** A session without its journal. */
export interface SessionRecord {
  /** The session's id. */
  readonly id: string;
  /** The principal it belongs to; `undefined` where nobody was logged in. */
  readonly owner?: string;
  /** When it was created. */
  readonly createdAt: Date;
  /** When it was created or last appended to. */
  readonly lastUsedAt: Date;
  /** The position of the last entry; 0 of an empty journal. */
  readonly version: number;
  /** Reading from here is enough to know the session's present state; 1 without a checkpoint. */
  readonly readFrom: number;
}

/** The right to write to a session, held by one run at a time. */
export interface Lease {
  /** The session. */
  readonly sessionId: string;
  /** Grows with every acquisition: a writer with an older one is fenced off. */
  readonly token: number;
}

/** What is appended to a journal, and on what condition. */
export interface AppendOptions {
  /** The writer's right to write. */
  readonly lease: Lease;
  /** The position the writer believes to be the last. */
  readonly expectedVersion: number;
  /** What is appended, all or nothing, in order. */
  readonly entries: readonly SessionEntry[];
  /** Sets `readFrom` to the position of the first of these entries; not by default. */
  readonly checkpoint?: boolean;
  /** Removes what stands before `readFrom`; not by default. */
  readonly discardBefore?: boolean;
}

/**
 * Where sessions live. Every method is atomic; times are the store's own where it has a clock
 * shared by several processes, else this process's. `describeSessionStore` of
 * `nestjs-agent/testing` examines a store of your own.
 */
export interface SessionStore {
  /**
   * Creates an empty session.
   *
   * @param session its id, and the principal it belongs to, where somebody is logged in
   * @throws SessionExistsError where the id is taken
   */
  create(session: {
    /** Up to the caller, and unguessable. */
    readonly id: string;
    /** The principal it belongs to; missing for nobody. */
    readonly owner?: string;
  }): Promise<SessionRecord>;
  /** A session by its id; `undefined` where there is none. */
  find(sessionId: string): Promise<SessionRecord | undefined>;
  /** The session whose journal holds this run's `run.started`; `undefined` where none does. */
  findByRun(runId: string): Promise<SessionRecord | undefined>;
  /** An owner's sessions, the last used first. */
  list(
    owner: string,
    page?: {
      /** How many at most; all by default. */
      readonly limit?: number;
      /** How many to pass over; 0 by default. */
      readonly offset?: number;
    },
  ): Promise<readonly SessionRecord[]>;
  /**
   * A session's entries in order; none where there is no such session.
   *
   * @param from the first one's position; 1 by default
   */
  read(
    sessionId: string,
    from?: number,
    page?: {
      /** How many at most; all by default. */
      readonly limit?: number;
    },
  ): Promise<readonly StoredEntry[]>;
  /**
   * Appends, touches `lastUsedAt`, and answers with the new version.
   *
   * @throws VersionConflictError where somebody else appended
   * @throws LeaseLostError where the lease has expired or another one was given since
   * @throws SessionNotFoundError where there is no such session
   */
  append(sessionId: string, options: AppendOptions): Promise<number>;
  /**
   * The right to write, or `undefined` while another one is alive.
   *
   * @param ttlMs milliseconds that it lasts
   * @throws SessionNotFoundError where there is no such session
   */
  acquire(sessionId: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Prolongs the right to write; `false` where it was lost.
   *
   * @param ttlMs milliseconds that it lasts from now on
   */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Gives the lease back; nothing happens where it was lost. */
  release(lease: Lease): Promise<void>;
  /** Removes a session and all that belongs to it; `false` where there was none. */
  delete(sessionId: string): Promise<boolean>;
  /** Removes an owner's sessions, or without one all; answers how many. */
  deleteAll(owner?: string): Promise<number>;
  /** Removes sessions not used since, except those under a live lease; answers their ids. */
  deleteIdle(since: Date): Promise<readonly string[]>;
  /** How many sessions an owner has, or without one all together. */
  count(owner?: string): Promise<number>;
  /** Opens connections and migrates; called once at boot. */
  open?(): Promise<void>;
  /** Closes connections; called once when the application closes, after the last run. */
  close?(): Promise<void>;
}
