/**
 * Runs work on request: at once for the first request, and once more for all requests that arrive
 * during that run or shortly after.
 */
export class Coalesced {
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private isAsked = false;
  private readyAt = 0;

  /**
   * @param work never rejects
   * @param pauseMs the least time between two runs
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
  ) {}

  ask(): void {
    if (this.isRunning || this.timer !== undefined) {
      this.isAsked = true;
      return;
    }
    const waitMs = this.readyAt - Date.now();
    if (waitMs > 0) this.later(waitMs);
    else void this.run();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isAsked = false;
  }

  private later(waitMs: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.run();
    }, waitMs).unref();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    this.isAsked = false;
    await this.work();
    this.isRunning = false;
    this.readyAt = Date.now() + this.pauseMs;
    if (this.isAsked) this.later(this.pauseMs);
  }
}
