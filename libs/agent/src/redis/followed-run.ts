import type { AgentEvent } from '../message';
import type { Connection } from './connection';
import { Inbox } from './inbox';
import type { RunStream } from './run-stream';
import type { Subscriptions } from './subscriptions';

/** After this time without a message, a reader checks whether the run still exists. */
const LOOK_MS = 3_000;

interface Following {
  readonly stream: RunStream;
  readonly subscriptions: Subscriptions;
  readonly connection: Connection;
  readonly after: number;
  /** Milliseconds to wait until the run is open. */
  readonly waitMs: number;
  /** Called with the milliseconds that events took to reach a waiting reader. */
  readonly onLag: ((lagMs: number) => void) | undefined;
}

/**
 * A reader of a run in any process. It receives events as messages. Events that messages omit, or that
 * came too fast, it reads from its position in the stream. It ends if the run ends, if Redis
 * is lost, or if Redis lacks events.
 */
export class FollowedRun implements AsyncIterableIterator<readonly AgentEvent[], void> {
  private readonly inbox: Inbox;
  private after: number;
  private isStarted = false;
  private isEnded = false;
  /** Whether no process has had the run open since this reader started, and one still may. */
  private isAwaited: boolean;
  /** Whether the stream may have events that no message contained. */
  private isBehind = true;
  /** When the sender received the first event that the stream still has to supply, by its clock. */
  private announcedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly following: Following) {
    this.after = following.after;
    this.isAwaited = following.waitMs > 0;
    this.inbox = new Inbox(following.stream.runId);
  }

  async next(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    try {
      if (!this.isStarted) await this.start();
      while (!this.isEnded) {
        const events = this.isBehind ? await this.read() : this.received();
        if (events.length > 0) {
          this.after += events.length;
          return { done: false, value: events };
        }
        // A message may have arrived while the stream was read.
        if (!this.isBehind && !this.isEnded && this.inbox.isEmpty) await this.woken();
      }
    } catch {
      // The store has the rest.
    }
    return this.return();
  }

  return(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    this.leave();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Subscribes before it reads, so that no event is missed in between. */
  private async start(): Promise<void> {
    const { connection, subscriptions, stream, waitMs } = this.following;
    this.isStarted = true;
    this.timer = setTimeout(this.look, this.isAwaited ? waitMs : LOOK_MS).unref();
    connection.on('lost', this.leave);
    await subscriptions.add(stream.names.wake, this.onMessage);
  }

  private async read(): Promise<readonly AgentEvent[]> {
    this.isBehind = false;
    const { announcedAt } = this;
    this.announcedAt = undefined;
    const { events, next } = await this.following.stream.read(this.after);
    if (events.length > 0) this.tellLag(announcedAt);
    if (next === 'more') this.isBehind = true;
    if (next !== 'closed' || events.length > 0) this.isAwaited = false;
    if (next === 'end' || (next === 'closed' && !this.isAwaited)) this.leave();
    return events;
  }

  private received(): readonly AgentEvent[] {
    const { events, next, publishedAt } = this.inbox.take(this.after);
    if (events.length > 0) this.tellLag(publishedAt);
    else this.announcedAt = publishedAt;
    // The end of an earlier part of an awaited run is not the end of the next part.
    if (next !== 'over' || events.length > 0) this.isAwaited = false;
    if (next === 'behind') this.isBehind = true;
    if (next === 'over' && !this.isAwaited) this.leave();
    return events;
  }

  /** Reports no lag for events that were there before the reader. */
  private tellLag(publishedAt: number | undefined): void {
    const { onLag } = this.following;
    if (publishedAt !== undefined) onLag?.(Math.max(0, Date.now() - publishedAt));
  }

  private readonly leave = (): void => {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.timer);
    const { connection, subscriptions, stream } = this.following;
    connection.off('lost', this.leave);
    subscriptions.remove(stream.names.wake, this.onMessage);
    this.wake();
  };

  private readonly onMessage = (message: string): void => {
    this.inbox.add(message);
    this.timer?.refresh();
    this.wake();
  };

  private readonly look = (): void => {
    this.isBehind = true;
    this.isAwaited = false;
    this.timer = setTimeout(this.look, LOOK_MS).unref();
    this.wake();
  };

  private woken(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}
