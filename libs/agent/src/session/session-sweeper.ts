import { Logger } from '@nestjs/common';
import { LONGEST_TIMER_MS, outsideRequests } from '../internal';

interface SweeperOptions {
  /** Milliseconds between two sweeps. */
  readonly sweepEveryMs: number;
  /** Removes expired sessions and returns their ids. */
  readonly removeExpired: () => Promise<readonly string[]>;
}

/** Removes expired sessions periodically. Sweeps never overlap. */
export class SessionSweeper {
  private readonly logger = new Logger('SessionSweeper');
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private isStopped = true;

  constructor(private readonly options: SweeperOptions) {}

  /** The first sweep follows the first interval, so that the boot does not wait for it. */
  start(): void {
    if (!this.isStopped) return;
    this.isStopped = false;
    this.schedule();
  }

  /** Resolves when no sweep is active; the store may be closed then. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.sweeping;
  }

  private schedule(): void {
    const waitMs = Math.min(this.options.sweepEveryMs, LONGEST_TIMER_MS);
    const sweepLater = (): NodeJS.Timeout =>
      setTimeout(() => {
        this.sweeping = this.sweep().finally(() => {
          this.sweeping = undefined;
          if (!this.isStopped) this.schedule();
        });
      }, waitMs).unref();
    this.timer = outsideRequests(sweepLater);
  }

  private async sweep(): Promise<void> {
    try {
      const { length } = await this.options.removeExpired();
      if (length > 0)
        this.logger.log(`Removed ${length} expired session${length === 1 ? '' : 's'}`);
    } catch (error) {
      // The next sweep tries again; until then expired sessions only use space.
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn(`Expired sessions could not be removed: ${reason}`);
    }
  }
}
