import type { AgentEvent } from '../../message';

/** The sending end of a run's events. */
export interface RunChannel {
  /**
   * Merges consecutive pieces of text within this many milliseconds into one event; by default each
   * piece is an event. May change during the run.
   */
  readonly mergeMs?: number | undefined;
  /**
   * Sends events in the order of their numbers. Must not block: readers must not delay a run.
   *
   * @param events at least one
   */
  publish(events: readonly AgentEvent[]): void;
  /** Ends the run's readers after the last event. Idempotent. */
  close(): void;
}
