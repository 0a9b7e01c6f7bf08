import type { CompactionOptions, SessionStore } from '../session';
import type { InstanceOrClass } from './instance-or-class';

/**
 * How conversations are kept.
 *
 * @example
 * const sessions: SessionOptions = {
 *   store: memoryStore(),
 *   expireAfterMs: 24 * 3_600_000,
 *   compaction: { thresholdTokens: 100_000 },
 * };
 */
export interface SessionOptions {
  /** Where they are kept; `memoryStore()` by default. */
  readonly store?: InstanceOrClass<SessionStore>;
  /**
   * Milliseconds after its last use that a session goes; 3 600 000 (one hour) by default, `false` for
   * never. Pending actions expire after this time too; with `false`, after a day.
   */
  readonly expireAfterMs?: number | false;
  /** Milliseconds between two looks for expired sessions; 600 000 (ten minutes) by default. */
  readonly sweepEveryMs?: number;
  /**
   * Milliseconds that a run's right to its session lasts before it has to be renewed, and so that a
   * dead process keeps its sessions from others; 15 000 by default.
   */
  readonly leaseMs?: number;
  /**
   * Milliseconds that the store keeps who spent how much; 400 days by default, and never less than
   * the windows of `limits`.
   */
  readonly usageKeptMs?: number;
  /**
   * When and how far long histories are summarised; by default above 64 000 tokens, keeping the last
   * 12 000. `false` for never.
   */
  readonly compaction?: Partial<CompactionOptions> | false;
}
