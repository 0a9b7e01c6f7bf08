import {
  type AppendOptions,
  type Lease,
  type SessionEntry,
  type SessionState,
  type SessionStore,
} from '../session';
import { advance } from './run-phase';

/** What a run writes to. The state it shows always follows from what was written. */
export interface RunJournal {
  readonly state: SessionState;
  /** Resolves when the entries are stored; entries stand in the order of the calls. */
  append(...entries: readonly SessionEntry[]): Promise<void>;
  /**
   * Appends an entry that alone tells the session's state: reading begins there from now on.
   *
   * @param discardBefore removes what stands before it from the store
   */
  checkpoint(entry: SessionEntry, discardBefore: boolean): Promise<void>;
}

/** A journal that nobody keeps, for runs without a session. */
export class EphemeralJournal implements RunJournal {
  constructor(public state: SessionState) {}

  append(...entries: readonly SessionEntry[]): Promise<void> {
    this.state = advance(this.state, entries);
    return Promise.resolve();
  }

  checkpoint(entry: SessionEntry): Promise<void> {
    return this.append(entry);
  }
}

/**
 * The journal of a session in its store, written under a lease. Entries that arrive while a write
 * is under way go together with the next one.
 */
export class StoredJournal implements RunJournal {
  private queued: SessionEntry[] = [];
  private next: Promise<void> | undefined;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: SessionStore,
    readonly lease: Lease,
    private version: number,
    public state: SessionState,
  ) {}

  append(...entries: readonly SessionEntry[]): Promise<void> {
    if (entries.length === 0) return this.next ?? this.current;
    this.queued.push(...entries);
    this.next ??= this.current.then(
      () => this.write(),
      () => this.write(),
    );
    return this.next;
  }

  async checkpoint(entry: SessionEntry, discardBefore: boolean): Promise<void> {
    await this.append();
    this.current = this.writeNow([entry], { checkpoint: true, discardBefore });
    await this.current;
  }

  private async write(): Promise<void> {
    const entries = this.queued;
    this.queued = [];
    this.current = this.next ?? this.current;
    this.next = undefined;
    await this.writeNow(entries);
  }

  private async writeNow(
    entries: readonly SessionEntry[],
    options: Pick<AppendOptions, 'checkpoint' | 'discardBefore'> = {},
  ): Promise<void> {
    const next = advance(this.state, entries);
    this.version = await this.store.append(this.lease.sessionId, {
      lease: this.lease,
      expectedVersion: this.version,
      entries,
      ...options,
    });
    this.state = next;
  }
}
