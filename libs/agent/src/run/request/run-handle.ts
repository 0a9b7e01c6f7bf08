import type { AgentEvent, Usage } from '../../message';
import type { ChatResult } from './chat-result';

/** A run under way, or over. */
export interface RunHandle {
  /** The run's id. */
  readonly runId: string;
  /** Its session's id; empty of a run that is not kept. */
  readonly sessionId: string;
  /** The name of the model that carries it out. */
  readonly model: string;
  /** What the run had come to when it went on after a wait; nothing of a new one. */
  readonly before: {
    /** What its model calls had consumed: `run.finished` tells the whole run's. */
    readonly usage: Usage;
    /** The ids of the calls that were told. */
    readonly calls: readonly string[];
  };
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
