import type { JsonObject } from '../../message';

/** A run that waits for a worker or is executed by one, as a session's writer stores it. */
export interface QueuedRun {
  /** The run. */
  readonly runId: string;
  /** Counts the run's stays in the queue from 1. */
  readonly attempt: number;
  /** The caller's claim, encrypted; missing without one. */
  readonly sealed?: string;
  /** The data of the run's request that the journal lacks. */
  readonly facts: JsonObject;
}

/** A queued run without its facts, and with data of its session. */
export interface WaitingRun extends Omit<QueuedRun, 'facts'> {
  /** The session. */
  readonly sessionId: string;
  /** The session's owner; missing for anonymous callers. */
  readonly owner?: string;
  /** The agent that it belongs to; missing for the application's default agent. */
  readonly agent?: string;
  /** Milliseconds since it was stored, by the store's clock. */
  readonly waitedMs: number;
  /** Whether a valid lease holds its session. */
  readonly isHeld: boolean;
}
