import type { AgentEvent } from '../message';
import type { ChatResult } from './chat-result';

/** A run under way, or over for less than five minutes. */
export interface RunHandle {
  /** The run's id. */
  readonly runId: string;
  /** Its session's id; empty of a run that is not kept. */
  readonly sessionId: string;
  /**
   * The run's events to its last, at the reader's own pace. Several readers do not disturb each
   * other; leaving the loop ends only it.
   *
   * @param after the number of the last event that the reader has; all are read by default
   */
  events(after?: number): AsyncIterable<AgentEvent>;
  /** Resolves when the run has ended or waits for an action; never rejects. */
  readonly finished: Promise<ChatResult>;
  /** Stops the run at once; nothing happens where it is over. */
  cancel(): void;
}
