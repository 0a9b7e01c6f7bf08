import type { AgentEvent } from '../message';
import type { Connection } from './connection';
import type { RunStream } from './run-stream';
import type { Subscriptions } from './subscriptions';

/** Without a message for so long, a reader looks whether the run is still there. */
const LOOK_MS = 3_000;

/**
 * A reader of a run in any process. It holds a position: what it has not read stays in Redis. It
 * ends if the run does, if Redis is lost, or lacks events.
 */
export class FollowedRun implements AsyncIterableIterator<readonly AgentEvent[], void> {
  private isStarted = false;
  private isEnded = false;
  private isWoken = true;
  /** By the sender's clock, when it had the first of the events that it announced. */
  private announcedAt: number | undefined;
  private wake: () => void = () => undefined;

  constructor(
    private readonly stream: RunStream,
    private readonly subscriptions: Subscriptions,
    private readonly connection: Connection,
    private after: number,
    private readonly onLag?: (lagMs: number) => void,
  ) {}

  async next(): Promise<IteratorResult<readonly AgentEvent[], void>> {
    try {
      await this.start();
      while (!this.isEnded) {
        await this.woken();
        if (this.isEnded) break;
        const { announcedAt } = this;
        this.announcedAt = undefined;
        const { events, next } = await this.stream.read(this.after);
        this.after += events.length;
        if (events.length > 0) this.tellLag(announcedAt);
        if (next === 'end') this.leave();
        if (next === 'more') this.isWoken = true;
        if (events.length > 0) return { done: false, value: events };
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

  /** Listens before it reads, so that no event falls between. */
  private async start(): Promise<void> {
    if (this.isStarted) return;
    this.isStarted = true;
    this.connection.on('lost', this.leave);
    await this.subscriptions.add(this.stream.names.wake, this.onMessage);
  }

  private readonly leave = (): void => {
    if (this.isEnded) return;
    this.isEnded = true;
    this.connection.off('lost', this.leave);
    this.subscriptions.remove(this.stream.names.wake, this.onMessage);
    this.wake();
  };

  private readonly onMessage = (text: string): void => {
    if (this.onLag && /^\d{1,15}$/.test(text)) this.announcedAt ??= Number(text);
    this.isWoken = true;
    this.wake();
  };

  /** What was there before the reader was is not late. */
  private tellLag(announcedAt: number | undefined): void {
    if (announcedAt !== undefined) this.onLag?.(Math.max(0, Date.now() - announcedAt));
  }

  private async woken(): Promise<void> {
    if (!this.isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_MS).unref();
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.isWoken = false;
  }
}
