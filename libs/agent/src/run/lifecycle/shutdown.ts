import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { CLOSE_WITHIN_MS } from '../../invocation';
import { settledWithin } from '../../internal';
import { AbortableStore, SessionStoreError } from '../../session';
import { ActiveRuns } from './active-runs';
import { RUN_OPTIONS, type RunOptions } from '../request';

/**
 * Ends what this process does when the application closes, before what runs may need is closed: it
 * takes no new runs, lets those under way go on for a while, stops what is left, and waits no longer
 * than the deadline for a store that hangs.
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
  ) {}

  async onModuleDestroy(): Promise<void> {
    const idle = this.active.close();
    const { drainMs } = this.options;
    if (!(await settledWithin(idle, drainMs)) && drainMs > 0) {
      this.logger.warn(`Runs that are not over after ${drainMs / 1_000} s are stopped.`);
    }
    // It goes on behind the last run: other requests may wait for the store as well.
    this.timer = setTimeout(() => this.giveUp(), this.closeWithinMs);
    await this.active.stopAll();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private giveUp(): void {
    const { pending } = this.sessions;
    this.sessions.abort(
      new SessionStoreError(
        'store_unavailable',
        'The application closes and waits for the session store no more.',
      ),
    );
    if (pending.length === 0) return;
    this.logger.error(
      `The session store did not answer within ${this.closeWithinMs / 1_000} s (${counted(pending)}). ` +
        'Runs whose end is not stored count as failed, and their sessions are free after sessions.leaseMs.',
    );
  }
}

/** As `append ×2, find ×1`. */
function counted(names: readonly string[]): string {
  return [...new Set(names)]
    .map((name) => `${name} ×${names.filter((other) => other === name).length}`)
    .join(', ');
}
