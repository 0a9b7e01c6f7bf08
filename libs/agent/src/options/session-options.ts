import type { CompactionOptions, SessionStore } from '../session';
import type { InstanceOrClass } from './instance-or-class';

/**
 * How conversations are stored.
 *
 * @example
 * const sessions: SessionOptions = {
 *   store: memoryStore(),
 *   expireAfterMs: 24 * 3_600_000,
 *   compaction: { thresholdTokens: 100_000 },
 * };
 */
export interface SessionOptions {
  /** The session store; `memoryStore()` by default. */
  readonly store?: InstanceOrClass<SessionStore>;
  /**
   * Milliseconds after which an unused session is deleted; 3 600 000 (one hour) by default, `false`
   * for never. Pending actions expire after this time too; with `false`, after a day.
   */
  readonly expireAfterMs?: number | false;
  /** Milliseconds between two deletions of expired sessions; 600 000 (ten minutes) by default. */
  readonly sweepEveryMs?: number;
  /**
   * Milliseconds that a run's lease of its session lasts unless it is renewed; 15 000 by default. A
   * session whose process died is locked for as long.
   */
  readonly leaseMs?: number;
  /**
   * Milliseconds that the store keeps the usage of principals; 400 days by default, and never less
   * than the windows of `limits`.
   */
  readonly usageKeptMs?: number;
  /**
   * The summary of long histories: by default of those above 64 000 tokens, all but the last 12 000.
   * `false` for none.
   */
  readonly compaction?: Partial<CompactionOptions> | false;
}
