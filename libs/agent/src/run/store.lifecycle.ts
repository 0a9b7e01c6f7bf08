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
import type { RunBus } from './bus';
import { RUN_BUS, RUN_OPTIONS, RUN_STORE, type RunOptions } from './request';
import { SessionService } from './api';
import { UsageRecorder } from './spending';

/**
 * Opens the session store and the bus at boot, sweeps expired sessions, and closes both after the
 * last run.
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
    @Inject(RUN_BUS) private readonly bus: RunBus | null,
    /** Abandoned at the end of a shutdown, which waits for a sweep. */
    @Inject(RUN_STORE) abortable: SessionStore,
  ) {
    const areKept = expireAfterMs === false || expireAfterMs === Infinity;
    if (areKept && !store.removeUsage) return;
    this.sweeper = new SessionSweeper({
      sweepEveryMs,
      removeExpired: async () => {
        const removed = areKept ? [] : await sessions.cleanupExpired();
        const oldest = Math.max(0, Date.now() - usageKeptMs);
        await abortable.removeUsage?.(new Date(oldest));
        return removed;
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([this.store.open?.(), this.bus?.connect?.()]);
  }

  onApplicationBootstrap(): void {
    this.sweeper?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweeper?.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await settledWithin(this.recorder.settled(), this.closeWithinMs);
    await Promise.all([
      this.closed('session store', this.store.close?.()),
      this.closed('bus', this.bus?.close?.()),
    ]);
  }

  private async closed(what: string, closing: Promise<void> | undefined): Promise<void> {
    if (closing === undefined || (await settledWithin(closing, this.closeWithinMs))) return;
    this.logger.error(`The ${what} did not close within ${this.closeWithinMs / 1_000} s.`);
  }
}
