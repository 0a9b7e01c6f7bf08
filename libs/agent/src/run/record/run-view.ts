import type { AgentEvent } from '../../message';
import {
  applyEntry,
  crashEndOf,
  sessionFrom,
  tell,
  type RecordedEntry,
  type RunRecord,
  type RunState,
  type SessionRecord,
  type SessionState,
  type SessionStore,
} from '../../session';

/** Entries read at once: a journal may go on long after the run. */
const PAGE = 500;

/**
 * A run as its journal tells it, read on from where the last look ended. Nobody takes the session's
 * lease to look.
 */
export class RunView {
  private position: number;
  private current: SessionState;
  private record: SessionRecord;

  constructor(
    private readonly store: SessionStore,
    private readonly runId: string,
    found: RunRecord,
  ) {
    this.record = found;
    this.position = found.runStart - 1;
    this.current = sessionFrom(found.runStart);
  }

  /**
   * The session's state at the run's last entry so far. A run that is left open in a session nobody
   * holds is dead: its state is the one it will have once that is written down.
   */
  get state(): SessionState {
    return this.crash().reduce<SessionState>(applyEntry, this.current);
  }

  /** The run's; `undefined` where its beginning is not kept. */
  get run(): RunState | undefined {
    const { run } = this.state;
    return run?.runId === this.runId ? run : undefined;
  }

  /** Looks at the session anew; `false` where it is gone. */
  async refresh(): Promise<boolean> {
    const record = await this.store.find(this.record.id);
    if (record === undefined) return false;
    this.record = record;
    return true;
  }

  /** Reads what is new, and answers the events above a number. */
  async readOn(after: number): Promise<readonly AgentEvent[]> {
    const events: AgentEvent[] = [];
    const take = (entry: RecordedEntry): void => {
      this.position += 1;
      this.current = applyEntry(this.current, entry);
      if (!('runId' in entry) || entry.runId !== this.runId) return;
      events.push(...tell(entry, this.current, this.record.id, after));
    };
    while (this.position < this.record.version && !this.isOver) {
      const stored = await this.store.read(this.record.id, this.position + 1, { limit: PAGE });
      for (const { entry } of stored) {
        take(entry);
        if (this.isOver) break;
      }
      if (stored.length < PAGE) break;
    }
    events.push(...this.unstored(after));
    return events;
  }

  private get isOver(): boolean {
    const { run } = this.current;
    return run !== undefined && run.status !== 'running' && run.status !== 'requires_action';
  }

  /** What no entry tells yet: the draft of a living run, the end of a dead one. */
  private unstored(after: number): readonly AgentEvent[] {
    const { draft, isHeld, id } = this.record;
    const isCurrent = isHeld && draft?.after === this.position;
    let state = this.current;
    return [...(isCurrent ? [draft.entry] : []), ...this.crash()].flatMap((entry) => {
      state = applyEntry(state, entry);
      return tell(entry, state, id, after);
    });
  }

  /** What is written down for a dead run, in the owner's next request. */
  private crash(): readonly RecordedEntry[] {
    const { isHeld, draft } = this.record;
    const crash = isHeld ? undefined : crashEndOf(this.current, draft);
    if (crash === undefined) return [];
    return crash.draft ? [crash.draft, crash.end] : [crash.end];
  }
}
