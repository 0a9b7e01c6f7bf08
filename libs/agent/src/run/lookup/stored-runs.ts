import type { AgentEvent } from '../../message';
import {
  NewerSessionError,
  type RunRecord,
  type SessionRecord,
  type SessionStore,
} from '../../session';
import { MOST_AT_ONCE, RunView } from '../record';

/** The runs that this process reads from the store: each once, as long as it has readers. */
export class StoredRuns {
  private readonly runs = new Map<string, WeakRef<StoredRun>>();
  // Not counted: a reader may leave its events without a word.
  private readonly left = new FinalizationRegistry<string>((runId) => {
    if (this.runs.get(runId)?.deref() === undefined) this.runs.delete(runId);
  });

  constructor(private readonly store: SessionStore) {}

  /**
   * The run, read up to a record of its session.
   *
   * @param after the last event that the reader has
   */
  async read(record: RunRecord, runId: string, after: number): Promise<StoredRun> {
    let stored = this.runs.get(runId)?.deref();
    if (stored === undefined || stored.from > after) {
      stored = new StoredRun(new RunView(this.store, runId, record), after);
      this.runs.set(runId, new WeakRef(stored));
      this.left.register(stored, runId);
    }
    await stored.readOn(after, record);
    return stored;
  }
}

/**
 * A run's stored events above a number. They are held once, as long as the run has a reader: readers
 * only have a position, so slow ones cost nothing.
 */
export class StoredRun {
  private readonly events: AgentEvent[] = [];
  private reading: Promise<unknown> = Promise.resolve();
  /** A read that has not begun: all who ask until then share it. */
  private next: Promise<boolean> | undefined;

  constructor(
    readonly view: RunView,
    readonly from: number,
  ) {}

  /** The events read so far above a number, at the reader's pace. */
  *above(after: number): Generator<readonly AgentEvent[], void, undefined> {
    let place = this.events.findLastIndex(({ seq }) => seq <= after) + 1;
    while (place < this.events.length) {
      const batch = this.events.slice(place, place + MOST_AT_ONCE);
      place += batch.length;
      yield batch;
    }
  }

  /**
   * Reads new entries, one read after the other.
   *
   * @param after the last event that the reader has
   * @param record the session's record; read by default
   * @returns `false` if the session was removed
   * @throws NewerSessionError if a newer release wrote the next entry, and no event is before it
   */
  async readOn(after: number, record?: SessionRecord): Promise<boolean> {
    try {
      return await (record ? this.read(record) : (this.next ??= this.read()));
    } catch (error) {
      const isNew = (this.events.at(-1)?.seq ?? 0) > after;
      if (error instanceof NewerSessionError && isNew) return true;
      throw error;
    }
  }

  private read(record?: SessionRecord): Promise<boolean> {
    const read = async (): Promise<boolean> => {
      if (record === undefined) this.next = undefined;
      if (!(await this.view.refresh(record))) return false;
      await this.view.readOn(this.events.at(-1)?.seq ?? this.from, this.events);
      return true;
    };
    const reading = this.reading.then(read, read);
    this.reading = reading;
    return reading;
  }
}
