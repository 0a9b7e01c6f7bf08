const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/** How long to wait before the next try: twice as long each time, with some chance in it. */
export class Patience {
  private delayMs = FIRST_MS;

  reset(): void {
    this.delayMs = FIRST_MS;
  }

  /** Ends early when the browser is online again, or `signal` is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    const delayMs = this.delayMs * (0.75 + Math.random() / 2);
    this.delayMs = Math.min(this.delayMs * 2, LONGEST_MS);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        removeEventListener('online', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      addEventListener('online', done);
      signal.addEventListener('abort', done);
    });
  }
}
