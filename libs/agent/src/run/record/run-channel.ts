import type { AgentEvent } from '../../message';

/** The sending end of a run's events. */
export interface RunChannel {
  /**
   * Consecutive pieces of text within so many milliseconds are sent as one event; each is an event
   * by default. May change while the run goes on.
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
