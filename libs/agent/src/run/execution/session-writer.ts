import {
  type LeaseLimit,
  type NewSession,
  SessionBusyError,
  type SessionRecord,
  type SessionStore,
  type TakenLease,
} from '../../session';
import { type FoldedSessions, StoredJournal } from '../record';
import { type RunOptions } from '../request';

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
   * @throws TooManyRunsError
   * @throws SessionExistsError if the id is taken
   */
  createForRun(session: NewSession, runId: string): Promise<StoredJournal> {
    return this.journalOf(() => this.acquireNew(session, this.limit), runId);
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

  private async acquireNew(session: NewSession, limit?: LeaseLimit): Promise<TakenLease> {
    const { store } = this;
    if (store.acquireNew) return store.acquireNew(session, this.options.leaseMs, limit);
    const { id } = await store.create(session);
    try {
      return await this.acquire(id, limit);
    } catch (error) {
      await store.delete(id).catch(() => undefined);
      throw error;
    }
  }

  private async journalOf(
    acquire: () => Promise<TakenLease>,
    runId: string | undefined,
  ): Promise<StoredJournal> {
    const { leaseMs, name: agent } = this.options;
    const heldSince = performance.now();
    const lease = await acquire();
    try {
      const state = await this.folded.stateOf(lease.record);
      const session = { lease, heldSince, state };
      return new StoredJournal(this.store, session, { leaseMs, agent, folded: this.folded }, runId);
    } catch (error) {
      await this.store.release(lease).catch(() => undefined);
      throw error;
    }
  }
}
