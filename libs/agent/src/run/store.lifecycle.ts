import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { CLOSE_WITHIN_MS } from '../invocation';
import { settledWithin } from '../internal';
import { SESSION_STORE, SessionSweeper, type SessionStore } from '../session';
import { RUN_OPTIONS, type RunOptions } from './request';
import { SessionService } from './api';
import { UsageRecorder } from './spending';

/**
 * Opens the session store at boot, sweeps expired sessions, and closes the store after the last
 * run.
 */
@Injectable()
export class StoreLifecycle
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  private readonly logger = new Logger('AgentShutdown');
  private readonly sweeper: SessionSweeper | undefined;

  constructor(
    @Inject(RUN_OPTIONS) { expireAfterMs, sweepEveryMs, usageKeptMs }: RunOptions,
    @Inject(SESSION_STORE) private readonly store: SessionStore,
    @Inject(CLOSE_WITHIN_MS) private readonly closeWithinMs: number,
    sessions: SessionService,
    private readonly recorder: UsageRecorder,
  ) {
    const areKept = expireAfterMs === false || expireAfterMs === Infinity;
    if (areKept && !store.removeUsage) return;
    this.sweeper = new SessionSweeper({
      sweepEveryMs,
      removeExpired: async () => {
        const removed = areKept ? [] : await sessions.cleanupExpired();
        const oldest = Math.max(0, Date.now() - usageKeptMs);
        await store.removeUsage?.(new Date(oldest));
        return removed;
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.store.open?.();
  }

  onApplicationBootstrap(): void {
    this.sweeper?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeper?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await settledWithin(this.recorder.settled(), this.closeWithinMs);
    const closing = this.store.close?.();
    if (closing === undefined || (await settledWithin(closing, this.closeWithinMs))) return;
    this.logger.error(`The session store did not close within ${this.closeWithinMs / 1_000} s.`);
  }
}
