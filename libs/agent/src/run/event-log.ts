import { Batched, type AgentEvent, type AgentEventBody } from '../message';
import { PackedEvents } from './packed-events';

/**
 * The events of one run, numbered, for any number of readers at their own pace. A slow reader costs
 * nothing: the log holds each event once, and readers hold a position.
 */
export class EventLog {
  /** Without what follows from their place: there may be thousands. Packed once the log has ended. */
  private bodies: AgentEventBody[] | PackedEvents;
  private change: Promise<void> | undefined;
  private tellChange: () => void = () => undefined;

  constructor(
    readonly runId: string,
    /** What was said before the run was parked, where this process still knows it. */
    earlier: readonly AgentEvent[] = [],
    /** The number of the last event before these: 0 where it holds them all. */
    readonly offset = earlier[0] ? earlier[0].seq - 1 : 0,
  ) {
    this.bodies = [...earlier];
  }

  get lastSeq(): number {
    return this.offset + this.bodies.length;
  }

  push(body: AgentEventBody): void {
    if (this.bodies instanceof PackedEvents) return;
    this.bodies.push(body);
    this.wake();
  }

  /** Ends every reader, once it has read what is there. */
  end(): void {
    if (this.bodies instanceof PackedEvents) return;
    this.bodies = new PackedEvents(this.bodies);
    this.wake();
  }

  all(): readonly AgentEvent[] {
    return this.from(0);
  }

  /** The events after that number, those to come included. */
  read(after = this.offset): AsyncIterable<AgentEvent> {
    return new Batched(new LogReader(this, Math.max(0, after - this.offset)));
  }

  /** Those from a place on; `undefined` once there are none and none will come. */
  eventsFrom(place: number): readonly AgentEvent[] | undefined {
    const isOver = this.bodies instanceof PackedEvents && place >= this.bodies.length;
    return isOver ? undefined : this.from(place);
  }

  /** Resolves when there is more, or the end. */
  changed(): Promise<void> {
    return (this.change ??= new Promise((resolve) => (this.tellChange = resolve)));
  }

  private from(start: number): readonly AgentEvent[] {
    const { runId, offset } = this;
    return this.bodies
      .slice(start)
      .map((body, index) => ({ ...body, runId, seq: offset + start + index + 1 }));
  }

  private wake(): void {
    this.change = undefined;
    this.tellChange();
  }
}

/** By hand, since a generator takes several promises for every step, and there are thousands. */
class LogReader implements AsyncIterableIterator<readonly AgentEvent[], void> {
  private hasLeft = false;

  constructor(
    private readonly log: EventLog,
    private place: number,
  ) {}

  next(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    const value = this.hasLeft ? undefined : this.log.eventsFrom(this.place);
    if (value === undefined) return Promise.resolve({ done: true, value });
    if (value.length === 0) return this.log.changed().then(() => this.next());
    this.place += value.length;
    return Promise.resolve({ done: false, value });
  }

  return(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    this.hasLeft = true;
    return this.next();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
