import type { AgentEvent } from '../message';
import type { OpenedRun, RunChannel } from '../run';
import type { RunStream } from './run-stream';

/** Redis keeps a run without a sign of its process for so long. */
const ALIVE_MS = 9_000;
/** Events per request. */
const MAX_BATCH = 200;
/** From here on, more pieces are merged; events that wait when a request fails are not repeated. */
const MANY_UNSENT = 1_000;

interface SendingOptions {
  readonly retainMs: number;
  readonly flushMs: number;
  /** Called once the run's last request was answered, or failed. */
  readonly onOver: () => void;
  /** Called if Redis refuses a request. */
  readonly onRefused: (error: Error) => void;
  readonly isReady: () => boolean;
}

/** Sends a run of this process: one request at a time, with all events that arrived meanwhile. */
export class SentRun implements RunChannel {
  /** Without an answer yet. */
  private unsent: AgentEvent[] = [];
  /** When the first event was published that no request holds yet. */
  private publishedAt: number | undefined;
  /** The number of the last event before those. */
  private before: number;
  private isSending = false;
  private isOver = false;
  /** Another process has the run. */
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

  /** Rises with what waits for Redis. */
  get mergeMs(): number | undefined {
    const { flushMs } = this.options;
    if (flushMs === 0) return undefined;
    return flushMs * (1 + Math.floor(this.unsent.length / MANY_UNSENT));
  }

  /** Resolves when no request is under way. */
  get settled(): Promise<void> {
    return this.sending;
  }

  publish(events: readonly AgentEvent[]): void {
    if (this.isOver || this.isReplaced) return;
    this.publishedAt ??= Date.now();
    this.unsent.push(...events);
    if (!this.options.isReady()) this.skipIfMany();
    this.sendSoon();
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.sendSoon();
  }

  /**
   * Sends what waits; without anything, a heartbeat. What this process does next without waiting for
   * others goes with it: a run's last events, and that it is over.
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
      // At once: what is published from here on begins the next request.
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
        // Something else stands under the run's keys. The next request begins anew.
        await this.stream.clear().catch(() => undefined);
      }
      return false;
    }
  }

  /** Readers continue with the store, which has them. */
  private skipIfMany(): void {
    if (this.unsent.length <= MANY_UNSENT) return;
    this.before = this.unsent.at(-1)?.seq ?? this.before;
    this.unsent = [];
  }
}
