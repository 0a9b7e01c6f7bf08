import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CLOSE_WITHIN_MS } from '../../invocation';
import { settledWithin, thrownText } from '../../internal';
import type { RunQueue } from '../queue';
import { AbortableStore, SessionStoreError } from '../../session';
import { ActiveRuns } from './active-runs';
import { RUN_OPTIONS, RUN_QUEUE, type RunOptions } from '../request';

/**
 * Shuts down before the runs' dependencies close. Refuses new runs and lets active ones finish for
 * `drainMs`. Then stops the rest, which a worker returns to the queue, and abandons a hanging store
 * after the deadline.
 */
@Injectable()
export class Shutdown implements OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('AgentShutdown');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    @Inject(CLOSE_WITHIN_MS) private readonly closeWithinMs: number,
    private readonly active: ActiveRuns,
    private readonly sessions: AbortableStore,
    @Inject(RUN_QUEUE) private readonly queue: RunQueue | null,
  ) {}

  async onModuleDestroy(): Promise<void> {
    const idle = this.active.close();
    const drained = this.queue?.drain();
    // Awaited later.
    drained?.catch(() => undefined);
    const { drainMs } = this.options;
    if (!(await settledWithin(idle, drainMs)) && drainMs > 0) {
      this.logger.warn(`Runs that have not ended after ${drainMs / 1_000} s are stopped.`);
    }
    // Continues after the last run: other requests may wait for the store too.
    const late = new Promise<void>((resolve) => {
      this.timer = setTimeout(() => {
        this.giveUp();
        resolve();
      }, this.closeWithinMs);
    });
    await this.active.stopAll();
    await this.leaveQueue(drained, late);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** Passes this process's jobs on to other workers. Closes the queue even if that is late or fails. */
  private async leaveQueue(drained: Promise<void> | undefined, late: Promise<void>): Promise<void> {
    await this.attempt(() => drained, late);
    await this.attempt(() => this.queue?.close(), late);
  }

  private async attempt(
    leave: () => Promise<void> | undefined,
    late: Promise<void>,
  ): Promise<void> {
    try {
      await Promise.race([leave(), late]);
    } catch (error) {
      this.logger.warn(`The queue could not be closed: ${thrownText(error)}`);
    }
  }

  private giveUp(): void {
    const { pending } = this.sessions;
    this.sessions.abort(
      new SessionStoreError(
        'store_unavailable',
        'The application is closing and no longer waits for the session store.',
      ),
    );
    if (pending.length === 0) return;
    this.logger.error(
      `The session store did not answer within ${this.closeWithinMs / 1_000} s (${counted(pending)}). ` +
        'Runs without a stored end count as failed; their sessions are released after sessions.leaseMs.',
    );
  }
}

/** As `append ×2, find ×1`. */
function counted(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => `${name} ×${names.filter((other) => other === name).length}`)
    .join(', ');
}
