import type { AgentEvent } from '../message';
import type { OpenedRun, RunChannel } from '../run';
import type { RunStream } from './run-stream';

/** Redis keeps a run this long without a heartbeat of its process. */
const ALIVE_MS = 9_000;
/** Events per request. */
const MAX_BATCH = 200;
/** From this number on, more pieces are merged, and events of a failed request are dropped. */
const MANY_UNSENT = 1_000;

interface SendingOptions {
  readonly retainMs: number;
  readonly flushMs: number;
  /** Called once, when the run's last request was answered or failed. */
  readonly onOver: () => void;
  /** Called if Redis refuses a request. */
  readonly onRefused: (error: Error) => void;
  readonly isReady: () => boolean;
}

/** Sends a run of this process: one request at a time, with all events that arrived meanwhile. */
export class SentRun implements RunChannel {
  /** Events without a reply from Redis yet. */
  private unsent: AgentEvent[] = [];
  /** When the first event outside any request was published. */
  private publishedAt: number | undefined;
  /** The number of the last event before `unsent`. */
  private before: number;
  private isSending = false;
  private isOver = false;
  /** Whether another process has taken over the run. */
  private isReplaced = false;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    readonly run: OpenedRun,
    private readonly stream: RunStream,
    private readonly options: SendingOptions,
  ) {
    this.before = run.lastSeq;
    this.sendSoon();
  }

  /** Grows with the number of unsent events. */
  get mergeMs(): number | undefined {
    const { flushMs } = this.options;
    if (flushMs === 0) return undefined;
    return flushMs * (1 + Math.floor(this.unsent.length / MANY_UNSENT));
  }

  /** Resolves when no request is active. */
  get settled(): Promise<void> {
    return this.sending;
  }

  publish(events: readonly AgentEvent[]): void {
    if (this.isOver || this.isReplaced) return;
    this.publishedAt ??= Date.now();
    // Not as arguments of one call: an entry may have more events than a call takes.
    for (const event of events) this.unsent.push(event);
    if (!this.options.isReady()) this.skipIfMany();
    this.sendSoon();
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.sendSoon();
  }

  /**
   * Sends the unsent events, or a heartbeat if there are none. Waits for the next tick, so that a run's
   * last events and its end go into one request.
   */
  sendSoon(): void {
    if (this.isSending) return;
    this.isSending = true;
    const soon = new Promise<void>((resolve) => process.nextTick(resolve));
    this.sending = soon.then(() => this.send());
  }

  private async send(): Promise<void> {
    let isTold = false;
    try {
      while (!isTold && this.options.isReady() && !this.isReplaced) {
        const { isOver } = this;
        const events = this.unsent.slice(0, MAX_BATCH);
        if (!(await this.append(events, isOver && events.length === this.unsent.length))) break;
        isTold = this.unsent.length === 0 && isOver === this.isOver;
      }
    } finally {
      // Immediately: events published from here on start the next request.
      this.isSending = false;
    }
    if (this.isOver || this.isReplaced) this.options.onOver();
  }

  private async append(events: readonly AgentEvent[], isOver: boolean): Promise<boolean> {
    const { run, before, options, publishedAt } = this;
    const { leaseToken } = run;
    if (events.length === this.unsent.length) this.publishedAt = undefined;
    const keepMs = isOver ? options.retainMs : ALIVE_MS;
    try {
      const appending = { leaseToken, before, events, publishedAt, isOver, keepMs };
      if (!(await this.stream.append(appending))) {
        this.isReplaced = true;
        this.unsent = [];
      }
      this.unsent.splice(0, events.length);
      this.before = events.at(-1)?.seq ?? before;
      return true;
    } catch (error) {
      this.publishedAt = publishedAt ?? this.publishedAt;
      this.skipIfMany();
      if (error instanceof Error && error.name === 'ReplyError') {
        options.onRefused(error);
        // Other data is stored under the run's keys. The next request starts again.
        await this.stream.clear().catch(() => undefined);
      }
      return false;
    }
  }

  /** Drops events: readers continue with the store, which has them. */
  private skipIfMany(): void {
    if (this.unsent.length <= MANY_UNSENT) return;
    this.before = this.unsent.at(-1)?.seq ?? this.before;
    this.unsent = [];
  }
}
