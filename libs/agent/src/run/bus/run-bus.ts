import type { AgentEvent } from '../../message';

/** A message to the process that carries a run out. It says where to look, and proves nothing. */
export type RunSignal =
  | {
      /** The run is to stop. */
      readonly type: 'stop';
    }
  | {
      /** The store has a result for a call that runs in the browser. */
      readonly type: 'delivered';
      /** The call. */
      readonly callId: string;
    };

/** A run that this process begins to carry out, or goes on with after a wait. */
export interface OpenedRun {
  /** The run. */
  readonly runId: string;
  /** The number of the last event before those to come. */
  readonly lastSeq: number;
  /**
   * Called for each signal that is meant for the run.
   *
   * @param signal the signal
   */
  onSignal(signal: RunSignal): void;
}

/** The sending end of a run's events. */
export interface RunChannel {
  /**
   * Sends events, in the order of their numbers. Must not wait: a run is not held up by its readers.
   *
   * @param events at least one
   */
  publish(events: readonly AgentEvent[]): void;
  /** Ends the run's readers, once they have what was sent. Idempotent. */
  close(): void;
}

/**
 * Carries a run's events, stops and answers between processes. Without a bus they go through the
 * session store, which takes up to a second. A bus is no authority: who may read or stop a run is
 * checked in the store first, and a bus that loses messages delays them, no more.
 *
 * @example
 * AgentModule.forRoot({ bus: memoryBus() });
 */
export interface RunBus {
  /**
   * Opens a run that this process carries out.
   *
   * @param run the run, and the receiver of its signals
   */
  open(run: OpenedRun): RunChannel;
  /**
   * The events of a run that is open in any process, as they occur, until the channel is closed. End
   * them also where the sending process is gone or events were lost: the store has the rest.
   *
   * @param runId the run
   * @param after the number of the last event that the reader has
   * @returns `undefined` where the run is not open, or the bus lacks events above that number
   */
  follow(runId: string, after: number): AsyncIterable<AgentEvent> | undefined;
  /**
   * Sends a signal to the process that carries the run out.
   *
   * @param runId the run
   * @param signal the signal
   * @returns `false` where the run is not open
   */
  signal(runId: string, signal: RunSignal): Promise<boolean>;
}
