import type { JsonValue } from '../../message';
import type { Draft, RecordedEntry, SessionHeadline, StoredEntry } from '../record';
import type { QueuedRun, WaitingRun } from './queued-runs';
import type { Spending, UsageQuery, UsageSum } from './usage-ledger';

/** A session without its journal. */
export interface SessionRecord {
  /** The session's id. */
  readonly id: string;
  /** The principal it belongs to; missing without a login. */
  readonly owner?: string;
  /** The agent that it belongs to; missing for the application's default agent. */
  readonly agent?: string;
  /** The parent session; missing for a conversation of its own. */
  readonly parent?: string;
  /** When it was created. */
  readonly createdAt: Date;
  /** When it was created or last appended to. */
  readonly lastUsedAt: Date;
  /** The position of the last entry; 0 for an empty journal. */
  readonly version: number;
  /** The first entry needed to compute the current state; 1 by default. */
  readonly readFrom: number;
  /** Whether a valid lease holds it, by the store's clock. */
  readonly isHeld: boolean;
  /** From the last append that had one; missing if none had. */
  readonly headline?: SessionHeadline;
  /** The unfinished answer; missing if there is none. */
  readonly draft?: Draft;
}

/** A session found by one of its runs. */
export interface RunRecord extends SessionRecord {
  /** The position of the run's `run.started`. */
  readonly runStart: number;
}

/** A session to create. */
export interface NewSession {
  /** Chosen by the caller; unguessable. */
  readonly id: string;
  /** The principal it belongs to; missing without a login. */
  readonly owner?: string;
  /** The agent that it belongs to; missing for the application's default agent. */
  readonly agent?: string;
  /** The parent session, which never changes; missing for a conversation of its own. */
  readonly parent?: string;
}

/** Selects sessions by agent. */
export interface AgentFilter {
  /** An agent's name, or `null` for the application's default agent; all agents by default. */
  readonly agent?: string | null;
}

/** The right to write to a session, held by one run at a time. */
export interface Lease {
  /** The session. */
  readonly sessionId: string;
  /** Grows with every acquisition: writers with an older token are refused. */
  readonly token: number;
}

/** A new lease, with its session. */
export interface TakenLease extends Lease {
  /** The session's current record; from here on only the lease's holder writes to it. */
  readonly record: SessionRecord;
}

/** The condition for a new lease. */
export interface LeaseLimit {
  /**
   * The maximum of valid leases of the session's owner, including this one, even if many are requested
   * at once; unlimited by default and for sessions without an owner. Leases of child sessions do not
   * count and are never refused. A session with a queued run counts as held.
   */
  readonly maxPerOwner?: number;
}

/** Requests of other processes; a session's writer gets them with its next append or renewal. */
export interface LeaseSignals {
  /** The run to stop; missing if there is none. */
  readonly stop?: string;
  /** A client in another process reads the run; missing if none is known. */
  readonly isAttended?: true;
}

/** The result of an append. */
export interface Appended {
  /** The new position of the last entry. */
  readonly version: number;
  /** Requests of other processes. */
  readonly signals: LeaseSignals;
  /**
   * The number of the owner's other sessions with a queued run; only if this append queued one. 0
   * without an owner.
   */
  readonly outstanding?: number;
}

/** The result of a renewal. */
export interface Renewed {
  /** Whether the lease is still valid; `false` if it was lost. */
  readonly isHeld: boolean;
  /** Requests of other processes. */
  readonly signals: LeaseSignals;
}

/** Entries to append to a journal, and the condition. */
export interface AppendOptions {
  /** The writer's lease. */
  readonly lease: Lease;
  /** The last position that the writer knows. */
  readonly expectedVersion: number;
  /** In order; either all are appended or none. */
  readonly entries: readonly RecordedEntry[];
  /** The record's new headline; unchanged by default. */
  readonly headline?: SessionHeadline;
  /** The record's new `readFrom`; unchanged by default. */
  readonly readFrom?: number;
  /** Removes the entries before `readFrom`; `false` by default. */
  readonly discardBefore?: boolean;
  /** Releases the lease as well; `false` by default. */
  readonly release?: boolean;
  /** Added to the ledger of the session's owner, together with the entries; nothing by default. */
  readonly spent?: readonly Spending[];
  /**
   * The session's new queued run, which starts to wait now; `null` removes it; unchanged by
   * default.
   */
  readonly queued?: QueuedRun | null;
}

/**
 * Stores sessions. Every method is atomic; times come from a clock that all processes share if the
 * store has one, otherwise from this process's clock. A read contains all writes that any process has
 * completed, so it must not come from a replica that lags behind. `describeSessionStore` of
 * `nestjs-agent/testing` examines a store of your own.
 *
 * A session with a `parent` is a child session: part of the parent's conversation, at any depth. It
 * is found, read and written like any other, but not listed or counted, and it is deleted with its
 * parent.
 */
export interface SessionStore {
  /**
   * Creates an empty session.
   *
   * @param session its id, and its principal, agent and parent, if any
   * @throws SessionExistsError if the id is taken
   * @throws SessionNotFoundError if the parent does not exist
   */
  create(session: NewSession): Promise<SessionRecord>;
  /** A session by its id; `undefined` if it does not exist. */
  find(sessionId: string): Promise<SessionRecord | undefined>;
  /** The session whose journal contains this run's `run.started`; `undefined` if there is none. */
  findByRun(runId: string): Promise<RunRecord | undefined>;
  /** An owner's sessions, the last used first, without child sessions. */
  list(
    owner: string,
    page?: AgentFilter & {
      /** The maximum number; all by default. */
      readonly limit?: number;
      /** The number to skip; 0 by default. */
      readonly offset?: number;
    },
  ): Promise<readonly SessionRecord[]>;
  /**
   * A session's entries in order; empty if the session does not exist.
   *
   * @param from the first entry's position; 1 by default
   */
  read(
    sessionId: string,
    from?: number,
    page?: {
      /** The maximum number; all by default. */
      readonly limit?: number;
    },
  ): Promise<readonly StoredEntry[]>;
  /**
   * Appends entries, updates `lastUsedAt`, and removes the record's draft, whose text they contain.
   *
   * @throws VersionConflictError if another writer appended
   * @throws LeaseLostError if the lease has expired or was superseded
   * @throws SessionNotFoundError if the session does not exist
   */
  append(sessionId: string, options: AppendOptions): Promise<Appended>;
  /**
   * A lease, or `undefined` while another one is valid. Discards the signals of the previous lease.
   *
   * @param ttlMs milliseconds until the lease expires
   * @throws SessionNotFoundError if the session does not exist
   * @throws TooManyRunsError if the session's owner has reached the limit
   */
  acquire(sessionId: string, ttlMs: number, limit?: LeaseLimit): Promise<TakenLease | undefined>;
  /**
   * Creates a session and takes its lease in one step, with the results of `create` and `acquire`. If
   * it is refused, nothing is created. Without this method, those two are called.
   *
   * @param ttlMs milliseconds until the lease expires
   * @param begun the journal's first entries, with headline and usage, appended in the same step.
   *   If a store ignores them and returns the record of an empty session, `append` is called
   * @throws SessionExistsError if the id is taken
   * @throws SessionNotFoundError if the parent does not exist
   * @throws TooManyRunsError if the session's owner has reached the limit
   */
  acquireNew?(
    session: NewSession,
    ttlMs: number,
    limit?: LeaseLimit,
    begun?: Pick<AppendOptions, 'entries' | 'headline' | 'spent'>,
  ): Promise<TakenLease>;
  /**
   * Extends a lease.
   *
   * @param ttlMs milliseconds from now until the lease expires
   * @param draft the record's new draft; unchanged by default
   */
  renew(lease: Lease, ttlMs: number, draft?: Draft): Promise<Renewed>;
  /** Releases the lease; no effect if it was lost. */
  release(lease: Lease): Promise<void>;
  /**
   * Tells the session's writer to stop a run; no effect if the session is not held. A store without
   * this method serves one process.
   */
  requestStop?(sessionId: string, runId: string): Promise<void>;
  /**
   * Tells the session's writer that a client reads the run; no effect if the session is not held. A
   * store without this method serves one process.
   *
   * @param ttlMs milliseconds for which this is valid
   */
  attend?(sessionId: string, ttlMs: number): Promise<void>;
  /**
   * Stores a call's delivered result, or its timeout. Only the first delivery for a call counts, in any
   * process; it is kept until the session's next `run.started`. A store without this method serves one
   * process.
   *
   * @param delivery plain JSON; `null` for the timeout
   * @returns whether it was the first; `false` if the session does not exist
   */
  deliver?(sessionId: string, callId: string, delivery: JsonValue): Promise<boolean>;
  /** The stored delivery for a call, if any. Required with `deliver`. */
  delivered?(sessionId: string, callId: string): Promise<JsonValue | undefined>;
  /** Removes a session with its children and all their data; `false` if it does not exist. */
  delete(sessionId: string): Promise<boolean>;
  /**
   * Removes an owner's sessions, or all sessions, with their children, whichever agents the children
   * belong to.
   *
   * @param owner all owners by default
   * @param of sessions of one agent; all agents by default
   * @returns the number of sessions, without children
   */
  deleteAll(owner?: string, of?: AgentFilter): Promise<number>;
  /**
   * Removes sessions unused since then, with their children, whenever those were used. Keeps sessions
   * that have a valid lease themselves or in a child.
   *
   * @returns the ids, including those of the children
   */
  deleteIdle(since: Date): Promise<readonly string[]>;
  /**
   * The number of an owner's sessions, or of all, without children.
   *
   * @param owner all owners by default
   * @param of sessions of one agent; all agents by default
   */
  count(owner?: string, of?: AgentFilter): Promise<number>;
  /**
   * Sums of the ledger, which contains `spent` of every append and `addUsage`. It has buckets of a
   * minute, and remains when sessions are removed. A store without this method keeps no ledger.
   */
  usage?(query: UsageQuery): Promise<readonly UsageSum[]>;
  /**
   * Adds usage outside sessions to the ledger. Required with `usage`.
   *
   * @param owner the principal; `undefined` for anonymous callers
   */
  addUsage?(owner: string | undefined, spent: readonly Spending[]): Promise<void>;
  /** Removes the ledger's minutes before a time. Required with `usage`. */
  removeUsage?(before: Date): Promise<void>;
  /**
   * The queued runs, ordered by session id. A store without this method keeps none.
   *
   * @param page the maximum number, and the session after which the page begins
   */
  queuedRuns?(page: {
    /** The maximum number. */
    readonly limit: number;
    /** The last session of the previous page; from the first session by default. */
    readonly after?: string;
  }): Promise<readonly WaitingRun[]>;
  /** A session's queued run, if any. Required with `queuedRuns`. */
  queuedRun?(sessionId: string): Promise<QueuedRun | undefined>;
  /** Opens connections and migrates; called once at boot. */
  open?(): Promise<void>;
  /** Closes connections; called once when the application closes, after the last run. */
  close?(): Promise<void>;
}
