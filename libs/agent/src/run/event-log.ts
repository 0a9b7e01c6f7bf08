import type { AgentEvent, AgentEventBody } from '../message';

/**
 * The events of one run, numbered, for any number of readers at their own pace. A slow reader costs
 * nothing: the log holds each event once, and readers hold a position.
 */
export class EventLog {
  private readonly events: AgentEvent[];
  private readonly wakers = new Set<() => void>();
  private isEnded = false;

  constructor(
    readonly runId: string,
    /** What was said before the run was parked, where this process still knows it. */
    earlier: readonly AgentEvent[] = [],
    /** The number of the last event before these. */
    private readonly offset = earlier[0] ? earlier[0].seq - 1 : 0,
  ) {
    this.events = [...earlier];
  }

  get lastSeq(): number {
    return this.offset + this.events.length;
  }

  push(body: AgentEventBody): void {
    if (this.isEnded) return;
    this.events.push({ ...body, runId: this.runId, seq: this.lastSeq + 1 });
    this.wake();
  }

  /** Ends every reader, once it has read what is there. */
  end(): void {
    this.isEnded = true;
    this.wake();
  }

  all(): readonly AgentEvent[] {
    return this.events;
  }

  async *read(after = this.offset): AsyncGenerator<AgentEvent, void, undefined> {
    let next = Math.max(0, after - this.offset);
    for (;;) {
      for (; next < this.events.length; next += 1) {
        const event = this.events[next];
        if (event !== undefined) yield event;
      }
      if (this.isEnded) return;
      await new Promise<void>((resolve) => this.wakers.add(resolve));
    }
  }

  private wake(): void {
    for (const waker of this.wakers) waker();
    this.wakers.clear();
  }
}
