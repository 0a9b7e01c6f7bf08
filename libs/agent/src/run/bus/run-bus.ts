import type { AgentEvent } from '../../message';
import type { RunChannel } from '../record';

/** A message to the process of a run. It has no authority: the store decides. */
export type RunSignal =
  | {
      /** Stop the run. */
      readonly type: 'stop';
    }
  | {
      /** The store has a result for a frontend tool's call. */
      readonly type: 'delivered';
      /** The call. */
      readonly callId: string;
    };

/** A run that this process starts or resumes. */
export interface OpenedRun {
  /** The run's id. */
  readonly runId: string;
  /** The number of the last event so far. */
  readonly lastSeq: number;
  /**
   * Grows with each lease of the run's session. If two processes open a run, the higher number wins,
   * and the bus refuses events of the other process.
   */
  readonly leaseToken: number;
  /**
   * Called for each signal to the run.
   *
   * @param signal the signal
   */
  onSignal(signal: RunSignal): void;
}

/**
 * How a reader follows a run.
 *
 * @example
 * const options: FollowOptions = { waitMs: 1_000 };
 */
export interface FollowOptions {
  /**
   * Milliseconds to wait for a run that is not open yet, such as a queued one; 0 by default. Its
   * first event must be delivered at once.
   */
  readonly waitMs?: number;
  /**
   * If the bus can measure it: call this with the milliseconds that events took to reach a waiting
   * reader.
   *
   * @param lagMs the milliseconds
   */
  readonly onLag?: ((lagMs: number) => void) | undefined;
}

/**
 * Carries a run's events, stops and results between processes. Without a bus they go through the
 * session store, which takes up to a second. A bus has no authority: the store checks who may read
 * or stop a run. Lost messages only cause delay. `describeRunBus` of `nestjs-agent/testing` examines
 * a bus of your own.
 *
 * @example
 * AgentModule.forRoot({ bus: memoryBus() });
 */
export interface RunBus {
  /**
   * Opens a run of this process. Replaces an open run with an older lease.
   *
   * @param run the run, and the receiver of its signals
   */
  open(run: OpenedRun): RunChannel;
  /**
   * The live events of a run that is open in any process, until the channel is closed. The
   * iteration must also end if the sending process dies or events are lost: the store has the rest.
   *
   * @param runId the run
   * @param after the number of the reader's last event; a number beyond all others for a reader who
   * waits only for the end
   * @param options how long to wait for the run, and a listener for delays
   * @returns `undefined`, or an iteration without events, if the run is not open or the bus lacks
   * events above that number
   */
  follow(
    runId: string,
    after: number,
    options?: FollowOptions,
  ): AsyncIterable<AgentEvent> | undefined;
  /**
   * Sends a signal to the run's process.
   *
   * @param runId the run
   * @param signal the signal
   * @returns `false` if the run is not open
   */
  signal(runId: string, signal: RunSignal): Promise<boolean>;
  /**
   * Resolves if the bus takes events and signals; asked by `AgentHealth`, which sends a signal to no run
   * where this is missing. Must store nothing.
   *
   * @throws AgentError if it does not; its message is shown
   */
  check?(): Promise<void>;
  /**
   * Connects; called at boot, and again after `close` if another application of the process has the
   * same options. Must resolve within seconds, even without a connection: the store is enough.
   */
  connect?(): Promise<void>;
  /** Disconnects; called when the application closes, after the last run. */
  close?(): Promise<void>;
}
