import type { AgentEvent } from '../message';
import { eventIn } from './event-text';
import { wakeIn } from './wake-text';

/** The maximum of message characters that wait for a reader. Further events are read from the stream. */
const MAX_CHARS = 65_536;

/** The events of messages above a reader's number. */
interface Told {
  readonly events: readonly AgentEvent[];
  /** `behind`: the stream has more; `over`: the run's process has closed it. */
  readonly next: 'wait' | 'behind' | 'over';
  /** When the first of these messages was published. */
  readonly publishedAt: number | undefined;
}

/** Holds messages for a reader of a run until it takes them. A slow reader uses the stream instead. */
export class Inbox {
  private messages: string[] = [];
  private chars = 0;
  private isFull = false;

  constructor(private readonly runId: string) {}

  get isEmpty(): boolean {
    return this.chars === 0;
  }

  add(message: string): void {
    this.chars += message.length;
    if (this.chars > MAX_CHARS) this.isFull = true;
    if (this.isFull) this.messages = [];
    else this.messages.push(message);
  }

  /** Events that follow a number without a gap. */
  take(after: number): Told {
    const { messages, isFull } = this;
    this.messages = [];
    this.chars = 0;
    this.isFull = false;
    const events: AgentEvent[] = [];
    let isOver = false;
    let publishedAt: number | undefined;
    for (const message of messages) {
      const wake = wakeIn(message);
      publishedAt ??= wake?.publishedAt;
      if (wake === undefined || !this.read(wake, after, events))
        return { events, next: 'behind', publishedAt };
      isOver = wake.isOver;
    }
    if (isFull) return { events, next: 'behind', publishedAt };
    return { events, next: isOver ? 'over' : 'wait', publishedAt };
  }

  /** @returns `false` if events between the reader's last one and this message are missing */
  private read(
    { last, texts }: { readonly last: number; readonly texts: readonly string[] },
    after: number,
    events: AgentEvent[],
  ): boolean {
    const first = last - texts.length + 1;
    for (let seq = after + events.length + 1; seq <= last; seq += 1) {
      const text = texts[seq - first];
      const event = text === undefined ? undefined : eventIn(text, this.runId, seq);
      if (event === undefined) return false;
      events.push(event);
    }
    return true;
  }
}
