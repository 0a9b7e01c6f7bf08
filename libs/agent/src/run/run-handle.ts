import type { AgentEvent } from '../message';
import type { ChatResult } from './chat-result';

/** A run under way, or over for less than five minutes. */
export interface RunHandle {
  readonly runId: string;
  readonly sessionId: string;
  /**
   * The run's events from the first after `after` (all of them by default) to its last, at the
   * reader's own pace. Several readers do not disturb each other; leaving the loop ends only it.
   */
  events(after?: number): AsyncIterable<AgentEvent>;
  /** Resolves when the run has ended or waits for an action; never rejects. */
  readonly finished: Promise<ChatResult>;
  cancel(): void;
}
