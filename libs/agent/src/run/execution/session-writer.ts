import {
  type AppendOptions,
  EMPTY_SESSION,
  headlineOf,
  type LeaseLimit,
  type NewSession,
  SessionBusyError,
  type SessionEntry,
  type SessionRecord,
  type SessionStore,
  type TakenLease,
} from '../../session';
import { type FoldedSessions, RunEmitter, StoredJournal, written, type Written } from '../record';
import { type RunOptions } from '../request';
import { spendingsOf } from '../spending';

/** Locks sessions for writing, one writer at a time. */
export class SessionWriter {
  constructor(
    private readonly options: RunOptions,
    private readonly store: SessionStore,
    private readonly folded: FoldedSessions,
  ) {}

  /**
   * Locks the session and reads its state. The caller releases the journal.
   *
   * @param runId the writing run, if any
   * @throws SessionBusyError while another run writes to it
   * @throws SessionNotFoundError if it was removed meanwhile
   */
  take({ id }: Pick<SessionRecord, 'id'>, runId?: string): Promise<StoredJournal> {
    return this.journalOf(() => this.acquire(id), runId);
  }

  /**
   * As `take`, within the owner's limit of runs in all processes, if the store counts them.
   *
   * @throws TooManyRunsError
   */
  takeForRun({ id }: Pick<SessionRecord, 'id'>, runId: string): Promise<StoredJournal> {
    return this.journalOf(() => this.acquire(id, this.limit), runId);
  }

  /**
   * As `takeForRun`, for a new session; if the run is refused, no session is created.
   *
   * @param opening the run's first entries, which the store may write in the same step
   * @throws TooManyRunsError
   * @throws SessionExistsError if the id is taken
   */
  async createForRun(
    session: NewSession,
    runId: string,
    opening: readonly SessionEntry[] = [],
  ): Promise<StoredJournal> {
    const beginning = opening.length > 0 ? this.beginning(session.id, runId, opening) : undefined;
    const acquire = () => this.acquireNew(session, this.limit, beginning?.first);
    const journal = await this.journalOf(acquire, runId, beginning?.begun);
    // A store that cannot create a session with its lease has not taken them.
    if (beginning && journal.state.version === 0) await journal.append(...opening);
    return journal;
  }

  /** The first entries as a store appends them, and their effect on the run. */
  private beginning(sessionId: string, runId: string, opening: readonly SessionEntry[]) {
    const all = opening.map((entry) => ({ entry, isSilent: false }));
    const begun = written(EMPTY_SESSION, all, new RunEmitter({ runId, sessionId }));
    const { entries, state } = begun;
    const spent = spendingsOf(this.options.name, EMPTY_SESSION, entries);
    return { begun, first: { entries, headline: headlineOf(state), spent } };
  }

  private get limit(): LeaseLimit | undefined {
    const { runsPerPrincipal: maxPerOwner } = this.options;
    return maxPerOwner === Infinity ? undefined : { maxPerOwner };
  }

  private async acquire(sessionId: string, limit?: LeaseLimit): Promise<TakenLease> {
    const lease = await this.store.acquire(sessionId, this.options.leaseMs, limit);
    if (lease === undefined) throw new SessionBusyError();
    return lease;
  }

  private async acquireNew(
    session: NewSession,
    limit?: LeaseLimit,
    first?: Pick<AppendOptions, 'entries' | 'headline' | 'spent'>,
  ): Promise<TakenLease> {
    const { store } = this;
    if (store.acquireNew) return store.acquireNew(session, this.options.leaseMs, limit, first);
    const { id } = await store.create(session);
    try {
      return await this.acquire(id, limit);
    } catch (error) {
      await store.delete(id).catch(() => undefined);
      throw error;
    }
  }

  /** @param begun the effect of the entries that a new session was created with */
  private async journalOf(
    acquire: () => Promise<TakenLease>,
    runId: string | undefined,
    begun?: Pick<Written, 'state' | 'events'>,
  ): Promise<StoredJournal> {
    const { leaseMs, name: agent } = this.options;
    const heldSince = performance.now();
    const lease = await acquire();
    try {
      const isBegun = begun !== undefined && lease.record.version > 0;
      const journal = isBegun ? begun : { state: await this.folded.stateOf(lease.record) };
      const session = { lease, heldSince, ...journal };
      return new StoredJournal(this.store, session, { leaseMs, agent, folded: this.folded }, runId);
    } catch (error) {
      await this.store.release(lease).catch(() => undefined);
      throw error;
    }
  }
}
