import { Inject, Injectable, Logger } from '@nestjs/common';
import { thrownText } from '../../internal';
import type { SessionStore, Spending } from '../../session';
import { RUN_STORE } from '../request';

/**
 * Adds usage that no session's journal contains to the ledger. Runs do not wait for it, and its errors
 * fail no run.
 */
@Injectable()
export class UsageRecorder {
  private readonly logger = new Logger('Usage');
  private readonly pending = new Set<Promise<void>>();
  /** Whether the last write failed: an outage must not fill the log. */
  private hasFailed = false;

  constructor(@Inject(RUN_STORE) private readonly store: SessionStore) {}

  record(owner: string | undefined, spent: readonly Spending[]): void {
    if (!this.store.addUsage || spent.length === 0) return;
    const adding = this.store
      .addUsage(owner, spent)
      .then(
        () => void (this.hasFailed = false),
        (error: unknown) => this.report(error),
      )
      .finally(() => this.pending.delete(adding));
    this.pending.add(adding);
  }

  /** Resolves when the ledger has all usage recorded so far. */
  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  private report(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.logger.warn(
      `Usage outside the journals could not be stored, and is not counted: ${thrownText(error)}`,
    );
  }
}
