import { Inject, Injectable } from '@nestjs/common';
import {
  SESSION_STORE,
  SessionBusyError,
  SessionNotFoundError,
  type SessionRecord,
  type SessionStore,
} from '../session';
import { StoredJournal } from './run-journal';
import { RUN_OPTIONS } from './run.constants';
import type { RunOptions } from './run-options';
import { SessionAccess } from './session-access';

/** Takes sessions for writing, one writer at a time. */
@Injectable()
export class SessionWriter {
  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    private readonly sessions: SessionAccess,
  ) {}

  /**
   * Takes the session and reads its present state. The journal's lease is the caller's to give back.
   *
   * @throws SessionBusyError while another run has it
   * @throws SessionNotFoundError where it was removed meanwhile
   */
  async take(record: SessionRecord): Promise<StoredJournal> {
    const lease = await this.store.acquire(record.id, this.options.leaseMs);
    if (lease === undefined) throw new SessionBusyError();
    try {
      // Read again: between the look-up and the lease somebody may have written.
      const current = record.version === 0 ? record : await this.store.find(record.id);
      if (current === undefined) throw new SessionNotFoundError();
      const state = await this.sessions.stateOf(current);
      return new StoredJournal(this.store, lease, current.version, state);
    } catch (error) {
      await this.giveBack(lease);
      throw error;
    }
  }

  /** Gives back what `take` took; never rejects. */
  async giveBack(lease: StoredJournal['lease']): Promise<void> {
    await this.store.release(lease).catch(() => undefined);
  }
}
