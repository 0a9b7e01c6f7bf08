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
  /** The session that it is part of; missing for a conversation of its own. */
  readonly parent?: string;
  /** When it was created. */
  readonly createdAt: Date;
  /** When it was created or last appended to. */
  readonly lastUsedAt: Date;
  /** The position of the last entry; 0 of an empty journal. */
  readonly version: number;
  /** Reading from here is enough to know the session's present state; 1 by default. */
  readonly readFrom: number;
  /** Whether a living lease holds it, by the store's clock. */
  readonly isHeld: boolean;
  /** From the last append that had one; missing where none had. */
  readonly headline?: SessionHeadline;
  /** The answer under way, so far; missing where there is none. */
  readonly draft?: Draft;
}

/** A session that was found by one of its runs. */
export interface RunRecord extends SessionRecord {
  /** The position of the run's `run.started`. */
  readonly runStart: number;
}

/** A session to create. */
export interface NewSession {
  /** Up to the caller, and unguessable. */
  readonly id: string;
  /** The principal it belongs to; missing without a login. */
  readonly owner?: string;
  /** The agent that it belongs to; missing for the application's default agent. */
  readonly agent?: string;
  /** The session that it is part of, for good; missing for a conversation of its own. */
  readonly parent?: string;
}

/** Whose conversations are meant. */
export interface AgentFilter {
  /** An agent's name, or `null` for the application's default agent; those of all by default. */
  readonly agent?: string | null;
}

/** The right to write to a session, held by one run at a time. */
export interface Lease {
  /** The session. */
  readonly sessionId: string;
  /** Grows with every acquisition: a writer with an older one is fenced off. */
  readonly token: number;
}

/** A new lease, with its session. */
export interface TakenLease extends Lease {
  /** The session as it stands; only the lease's holder writes to it from here on. */
  readonly record: SessionRecord;
}

/** Whether a lease may be given. */
export interface LeaseLimit {
  /**
   * How many living leases the session's owner may have, this one included; any number by default,
   * and of sessions without an owner. However many ask at once, no more are given. Leases of child
   * sessions do not count, and are given in any number. A session with a queued run counts as if it
   * was held.
   */
  readonly maxPerOwner?: number;
}

/** Requests of other processes; a session's writer gets them with its next append or renewal. */
export interface LeaseSignals {
  /** The run that is to stop; missing where none is. */
  readonly stop?: string;
  /** A client reads along in another process; missing where none is known. */
  readonly isAttended?: true;
}

/** The result of an append. */
export interface Appended {
  /** The position of the last entry now. */
  readonly version: number;
  /** Requests of other processes. */
  readonly signals: LeaseSignals;
  /**
   * How many other sessions of the owner have a queued run; only where this append queued one. 0
   * without an owner.
   */
  readonly outstanding?: number;
}

/** The result of a renewal. */
export interface Renewed {
  /** Whether the lease goes on; `false` where it was lost. */
  readonly isHeld: boolean;
  /** Requests of other processes. */
  readonly signals: LeaseSignals;
}

/** Entries to append to a journal, and the condition. */
export interface AppendOptions {
  /** The writer's right to write. */
  readonly lease: Lease;
  /** The position the writer believes to be the last. */
  readonly expectedVersion: number;
  /** In order; either all of them are appended or none. */
  readonly entries: readonly RecordedEntry[];
  /** The record's new headline; unchanged by default. */
  readonly headline?: SessionHeadline;
  /** The record's `readFrom` from now on; as before by default. */
  readonly readFrom?: number;
  /** Removes the entries before `readFrom`; not by default. */
  readonly discardBefore?: boolean;
  /** Gives the lease back as well; not by default. */
  readonly release?: boolean;
  /** Added to the ledger of the session's owner, together with the entries; nothing by default. */
  readonly spent?: readonly Spending[];
  /**
   * The session's queued run from now on, which begins to wait now; `null` removes it. As before by
   * default.
   */
  readonly queued?: QueuedRun | null;
}

/**
 * Where sessions live. Every method is atomic; times are the store's own where it has a clock
 * shared by several processes, else this process's. `describeSessionStore` of
 * `nestjs-agent/testing` examines a store of your own.
 *
 * A session with a `parent` is a child session: part of the parent's conversation, at any depth. It
 * is found, read and written as any other, but it is not listed or counted, and it never outlives
 * its parent.
 */
export interface SessionStore {
  /**
   * Creates an empty session.
   *
   * @param session its id, and the principal, the agent and the parent it belongs to, if any
   * @throws SessionExistsError where the id is taken
   * @throws SessionNotFoundError where there is no such parent
   */
  create(session: NewSession): Promise<SessionRecord>;
  /** A session by its id; `undefined` where there is none. */
  find(sessionId: string): Promise<SessionRecord | undefined>;
  /** The session whose journal holds this run's `run.started`; `undefined` where none does. */
  findByRun(runId: string): Promise<RunRecord | undefined>;
  /** An owner's sessions, the last used first, without child sessions. */
  list(
    owner: string,
    page?: AgentFilter & {
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
   * Appends, touches `lastUsedAt`, and removes the record's draft, whose text the entries have.
   *
   * @throws VersionConflictError where another writer appended
   * @throws LeaseLostError where the lease has expired or another one was given since
   * @throws SessionNotFoundError where there is no such session
   */
  append(sessionId: string, options: AppendOptions): Promise<Appended>;
  /**
   * The right to write, or `undefined` while another one is alive. Signals of the one before are gone.
   *
   * @param ttlMs milliseconds that it lasts
   * @throws SessionNotFoundError where there is no such session
   * @throws TooManyRunsError where the session's owner holds as many already as are allowed
   */
  acquire(sessionId: string, ttlMs: number, limit?: LeaseLimit): Promise<TakenLease | undefined>;
  /**
   * Creates an empty session and gives the right to write to it, in one step: `create` and
   * `acquire` with the same results. If it is refused, nothing is created. Without this method the
   * two are called.
   *
   * @param ttlMs milliseconds that the right lasts
   * @throws SessionExistsError where the id is taken
   * @throws SessionNotFoundError where there is no such parent
   * @throws TooManyRunsError where the session's owner holds as many already as are allowed
   */
  acquireNew?(session: NewSession, ttlMs: number, limit?: LeaseLimit): Promise<TakenLease>;
  /**
   * Prolongs the right to write.
   *
   * @param ttlMs milliseconds that it lasts from now on
   * @param draft the record's from now on; as before by default
   */
  renew(lease: Lease, ttlMs: number, draft?: Draft): Promise<Renewed>;
  /** Gives the lease back; nothing happens where it was lost. */
  release(lease: Lease): Promise<void>;
  /**
   * Tells the session's writer to stop a run; no effect where the session is not held. A store
   * without this method serves one process.
   */
  requestStop?(sessionId: string, runId: string): Promise<void>;
  /**
   * Tells the session's writer that somebody reads along; nothing happens where nobody holds the
   * session. A store without this method serves one process.
   *
   * @param ttlMs milliseconds that this holds
   */
  attend?(sessionId: string, ttlMs: number): Promise<void>;
  /**
   * Takes what was delivered for a call, or that nothing was in time. Of all that is tried for one
   * call, only the first counts, in whichever process; it is kept until the session's next
   * `run.started`. A store without this method serves one process.
   *
   * @param delivery plain JSON; `null` where the call's time is up
   * @returns whether it was the first; `false` where there is no such session
   */
  deliver?(sessionId: string, callId: string, delivery: JsonValue): Promise<boolean>;
  /** The delivery that `deliver` took for a call, if any. Stands or falls with `deliver`. */
  delivered?(sessionId: string, callId: string): Promise<JsonValue | undefined>;
  /** Removes a session, its children and all that belongs to them; `false` where there was none. */
  delete(sessionId: string): Promise<boolean>;
  /**
   * Removes an owner's sessions, or without one all, with their children, whichever agent those
   * belong to.
   *
   * @param owner all owners by default
   * @param of the sessions of one agent; of all by default
   * @returns how many, children not counted
   */
  deleteAll(owner?: string, of?: AgentFilter): Promise<number>;
  /**
   * Removes sessions not used since, with their children, whenever those were used. One under a
   * living lease stays, and one with a child under a living lease.
   *
   * @returns the ids, those of the children included
   */
  deleteIdle(since: Date): Promise<readonly string[]>;
  /**
   * How many sessions an owner has, or without one all together; children are not counted.
   *
   * @param owner all owners by default
   * @param of the sessions of one agent; of all by default
   */
  count(owner?: string, of?: AgentFilter): Promise<number>;
  /**
   * Sums of the ledger: of `spent` of every append, and of `addUsage`. It is kept in buckets of a
   * minute, and stays when sessions are removed. A store without this method keeps none.
   */
  usage?(query: UsageQuery): Promise<readonly UsageSum[]>;
  /**
   * Adds to the ledger what was spent outside of sessions. Stands or falls with `usage`.
   *
   * @param owner the principal; `undefined` for anonymous callers
   */
  addUsage?(owner: string | undefined, spent: readonly Spending[]): Promise<void>;
  /** Removes the ledger's minutes before a time. Stands or falls with `usage`. */
  removeUsage?(before: Date): Promise<void>;
  /**
   * The queued runs, in the order of their sessions' ids. A store without this method keeps none.
   *
   * @param page how many at most, and the session after which they begin
   */
  queuedRuns?(page: {
    /** How many at most. */
    readonly limit: number;
    /** The last session of the page before; from the first one by default. */
    readonly after?: string;
  }): Promise<readonly WaitingRun[]>;
  /** A session's queued run, if there is one. Stands or falls with `queuedRuns`. */
  queuedRun?(sessionId: string): Promise<QueuedRun | undefined>;
  /** Opens connections and migrates; called once at boot. */
  open?(): Promise<void>;
  /** Closes connections; called once when the application closes, after the last run. */
  close?(): Promise<void>;
}
