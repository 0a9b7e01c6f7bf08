import { SessionBusyError, type SessionRecord, type SessionStore } from '../../session';
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
  take(record: Pick<SessionRecord, 'id'>, runId?: string): Promise<StoredJournal> {
    return this.acquire(record, runId);
  }

  /**
   * As `take`, within the owner's limit of runs in all processes, if the store counts them.
   *
   * @throws TooManyRunsError
   */
  takeForRun(record: Pick<SessionRecord, 'id'>, runId: string): Promise<StoredJournal> {
    const { runsPerPrincipal: maxPerOwner } = this.options;
    return this.acquire(record, runId, maxPerOwner === Infinity ? undefined : { maxPerOwner });
  }

  private async acquire(
    { id }: Pick<SessionRecord, 'id'>,
    runId: string | undefined,
    limit?: { readonly maxPerOwner: number },
  ): Promise<StoredJournal> {
    const { leaseMs, name: agent } = this.options;
    const heldSince = performance.now();
    const lease = await this.store.acquire(id, leaseMs, limit);
    if (lease === undefined) throw new SessionBusyError();
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
