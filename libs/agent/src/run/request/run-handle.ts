import { type AgentEvent, NO_USAGE, type Usage } from '../../message';
import type { RunState } from '../../session';
import type { ChatResult } from './chat-result';

/** An active or finished run. */
export interface RunHandle {
  /** The run's id. */
  readonly runId: string;
  /** Its session's id; empty for stateless runs. */
  readonly sessionId: string;
  /** The model's name. */
  readonly model: string;
  /** The totals of a resumed run before it continued; empty for a new run. */
  readonly before: {
    /** The usage of earlier model calls; `run.finished` contains the whole run's. */
    readonly usage: Usage;
    /** The ids of earlier calls, including those of asked agents. */
    readonly calls: readonly string[];
    /** The number of the last earlier event; 0 for a new run. */
    readonly lastSeq: number;
  };
  /**
   * The run's events up to its last one. Readers are independent; leaving the loop ends only that
   * reader.
   *
   * @param after the number of the reader's last event; all events by default
   */
  events(after?: number): AsyncIterable<AgentEvent>;
  /** Resolves when it ends or waits; rejects if a worker's cannot be read. */
  readonly finished: Promise<ChatResult>;
  /** Cancels the run; no effect on a finished run. */
  cancel(): void;
}

/**
 * A handle's model and its totals of a resumed run.
 *
 * @param lastSeq the number of the last event before the handle's own
 */
export function beforeOf(
  run: RunState | undefined,
  lastSeq: number,
): Pick<RunHandle, 'model' | 'before'> {
  const { modelName = '', usage = NO_USAGE, calls: own = [], asked } = run ?? {};
  const calls = [...own.map(({ id }) => id), ...(asked?.callIds ?? [])];
  return { model: modelName, before: { usage, calls, lastSeq } };
}
