import { Batched, type AgentEvent } from '../../message';

/** The maximum of events that a reader holds at once. */
export const MOST_AT_ONCE = 1_000;

/**
 * The events of a run of this process, for any number of readers. The feed stores each event once;
 * a reader only has a position, so slow readers cost nothing. A finished run's feed stays in memory
 * only while it has readers.
 */
export class EventFeed {
  private readonly events: AgentEvent[] = [];
  private isOver = false;
  private change: Promise<void> | undefined;
  private tellChange: () => void = () => undefined;

  /** @param offset the number of the last event before these; 0 if the feed holds all */
  constructor(readonly offset: number) {}

  push(events: readonly AgentEvent[]): void {
    if (events.length === 0 || this.isOver) return;
    for (const event of events) this.events.push(event);
    this.wake();
  }

  /** Ends every reader after its last event. */
  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.wake();
  }

  /** The past and future events above that number. */
  read(after = this.offset): AsyncIterable<AgentEvent> {
    return new Batched(new FeedReader(this, after));
  }

  /** The events from an index on, up to a number of them; `undefined` at the end of the feed. */
  eventsFrom(place: number, most = Infinity): readonly AgentEvent[] | undefined {
    if (this.isOver && place >= this.events.length) return undefined;
    return this.events.slice(place, place + most);
  }

  /** Resolves at the next event, or the end. */
  changed(): Promise<void> {
    return (this.change ??= new Promise((resolve) => (this.tellChange = resolve)));
  }

  private wake(): void {
    this.change = undefined;
    this.tellChange();
  }
}

/** Not a generator: that creates several promises per event, and a run has thousands. */
class FeedReader implements AsyncIterableIterator<readonly AgentEvent[], void> {
  private hasLeft = false;
  private place = 0;

  constructor(
    private readonly feed: EventFeed,
    private readonly after: number,
  ) {}

  next(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    const step = this.step();
    return step === undefined ? this.feed.changed().then(this.changed) : Promise.resolve(step);
  }

  // Calls `step` directly: awaiting a promise of it takes two more microtask turns.
  private readonly changed = () => this.step() ?? this.next();

  /** `undefined` if the next event has not arrived yet. */
  private step(): IteratorResult<readonly AgentEvent[], void> | undefined {
    while (!this.hasLeft) {
      const events = this.feed.eventsFrom(this.place, MOST_AT_ONCE);
      if (events === undefined) break;
      if (events.length === 0) return undefined;
      this.place += events.length;
      const value = this.unheard(events);
      if (value.length > 0) return { done: false, value };
    }
    return { done: true, value: undefined };
  }

  private unheard(events: readonly AgentEvent[]): readonly AgentEvent[] {
    const [first] = events;
    const isNew = first === undefined || first.seq > this.after;
    return isNew ? events : events.filter(({ seq }) => seq > this.after);
  }

  return(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    this.hasLeft = true;
    return this.next();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
