import { isUnderWay, type AgentEvent } from '../../message';
import {
  applyEntry,
  crashEndOf,
  NewerSessionError,
  sessionFrom,
  eventsOfEntry,
  type RecordedEntry,
  type RunRecord,
  type RunState,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../../session';

/** Entries per read: a journal may continue long after the run. */
const PAGE = 500;

/** A run read from its journal, incrementally and without the session's lease. */
export class RunView {
  private position: number;
  private current: SessionState;
  private found: RunRecord;
  /** Whether a newer release wrote the next entries. */
  private isCutOff = false;

  constructor(
    private readonly store: SessionStore,
    private readonly runId: string,
    found: RunRecord,
  ) {
    this.found = found;
    this.position = found.runStart - 1;
    this.current = sessionFrom(found.runStart);
  }

  /** The session's record as it was last read. */
  get record(): RunRecord {
    return this.found;
  }

  /**
   * The session's state at the run's last entry so far. An open run without a lease is dead: its
   * state is the one after its recovery.
   */
  get state(): SessionState {
    return this.crash().reduce<SessionState>(applyEntry, this.current);
  }

  /** `undefined` if the run's first entry was discarded. */
  get run(): RunState | undefined {
    const { run } = this.state;
    return run?.runId === this.runId ? run : undefined;
  }

  /** Whether the run has more events: it is active, or a newer release wrote the next entries. */
  get goesOn(): boolean {
    return this.isCutOff || isUnderWay(this.run?.status);
  }

  /**
   * Takes over a newer record of the session; read by default.
   *
   * @returns `false` if it was removed
   */
  async refresh(newer?: SessionRecord): Promise<boolean> {
    const record = newer ?? (await this.store.find(this.record.id));
    if (record === undefined) return false;
    if (record.version >= this.found.version)
      this.found = { ...record, runStart: this.found.runStart };
    return true;
  }

  /**
   * Reads new entries.
   *
   * @param into receives their events above the number, including those before a failure
   * @throws NewerSessionError if a newer release wrote the next entry, and `into` got no event
   */
  readOn(after: number, into: AgentEvent[] = []): Promise<void> {
    return this.readUpTo(this.record.version, after, into);
  }

  /** Reads new entries, including those after the record's version. @returns whether the run has ended */
  async readEnd(): Promise<boolean> {
    await this.readUpTo(Infinity, Infinity, []);
    return this.isOver;
  }

  private async readUpTo(version: number, after: number, events: AgentEvent[]): Promise<void> {
    const before = events.length;
    // Not as arguments of one call: an entry may have more events than a call takes.
    const add = (more: readonly AgentEvent[]): void => more.forEach((event) => events.push(event));
    const take = (entry: RecordedEntry): void => {
      this.current = applyEntry(this.current, entry);
      this.position += 1;
      if (!('runId' in entry) || entry.runId !== this.runId) return;
      add(eventsOfEntry(entry, this.current, this.record.id, after));
    };
    while (this.position < version && !this.isOver) {
      const stored = await this.store.read(this.record.id, this.position + 1, { limit: PAGE });
      try {
        for (const { entry } of stored) {
          take(entry);
          if (this.isOver) break;
        }
      } catch (error) {
        this.isCutOff = error instanceof NewerSessionError;
        if (!this.isCutOff || events.length === before) throw error;
        return;
      }
      if (stored.length < PAGE) break;
    }
    add(this.unstored(after));
  }

  private get isOver(): boolean {
    const { run } = this.current;
    return run !== undefined && !isUnderWay(run.status) && run.status !== 'requires_action';
  }

  /** Events without a stored entry: a living run's draft, a dead run's end. */
  private unstored(after: number): readonly AgentEvent[] {
    const { draft, isHeld, id } = this.record;
    const isCurrent = isHeld && draft?.after === this.position;
    let state = this.current;
    return [...(isCurrent ? [draft.entry] : []), ...this.crash()].flatMap((entry) => {
      state = applyEntry(state, entry);
      return eventsOfEntry(entry, state, id, after);
    });
  }

  /** The entries that the owner's next request will write for a dead run. */
  private crash(): readonly RecordedEntry[] {
    const { isHeld, draft } = this.record;
    const crash = isHeld || this.isCutOff ? undefined : crashEndOf(this.current, draft);
    if (crash === undefined) return [];
    return crash.draft ? [crash.draft, crash.end] : [crash.end];
  }
}
