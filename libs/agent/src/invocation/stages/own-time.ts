import { LONGEST_TIMER_MS } from '../../internal';

/** Limits the time of an application's code, without its waits. */
export class OwnTime {
  private readonly end = new AbortController();
  private readonly limitMs: number;
  private timer: NodeJS.Timeout | undefined;
  private waits = 0;

  constructor(limitMs: number) {
    this.limitMs = Math.min(limitMs, LONGEST_TIMER_MS);
    this.begin();
  }

  /** Aborted when the time is over. */
  get over(): AbortSignal {
    return this.end.signal;
  }

  /** Waits without using up the time, which then begins anew. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    this.stop();
    this.waits += 1;
    try {
      return await work;
    } finally {
      this.waits -= 1;
      if (this.waits === 0) this.begin();
    }
  }

  /** Stops counting for good. */
  close(): void {
    this.waits = Infinity;
    this.stop();
  }

  private begin(): void {
    this.timer = setTimeout(() => this.end.abort(), this.limitMs);
  }

  private stop(): void {
    clearTimeout(this.timer);
  }
}
