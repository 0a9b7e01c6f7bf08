import type { Usage } from '../message';
import type { ObservedModel, ObservedOrigin } from './observed.interface';

/** A measurement that belongs to no call or step. */
export type ObservedMeasure = Pick<ObservedOrigin, 'agent'> &
  (
    | ({
        /** A run's usage has grown: the sum of these is the `usage` of the runs. */
        readonly type: 'usage';
        /** The increase; estimated if the provider does not count. */
        readonly usage: Usage;
      } & ObservedModel)
    | {
        /** An event stream to a client begins, or ends. */
        readonly type: 'stream.opened' | 'stream.closed';
      }
    | {
        /** A run could not start or continue. */
        readonly type: 'run.refused';
        /** The caller has too many runs, another run holds the session, or the queue is full. */
        readonly reason: 'too_many_runs' | 'session_busy' | 'queue_full';
      }
    | {
        /** A worker has taken up a run. */
        readonly type: 'queue.left';
        /** Milliseconds that the run waited, by the clocks of both processes. */
        readonly waitedMs: number;
        /** Counts from 1 the workers that tried the run's current step. */
        readonly attempt: number;
      }
    | {
        /** A waiting run ended without continuing: it was cancelled, expired, or replaced by a message. */
        readonly type: 'wait.ended';
      }
    | {
        /** A run lost the lease of its session. */
        readonly type: 'lease.lost';
      }
    | {
        /** The bus has delivered events of another process's run to a waiting reader. */
        readonly type: 'bus.delivered';
        /** Milliseconds since the first event was sent, by the clocks of both processes. */
        readonly lagMs: number;
      }
    | {
        /** The session store has answered. */
        readonly type: 'store.answered';
        /** The method, such as `append`. */
        readonly operation: string;
        /** Milliseconds that it took. */
        readonly durationMs: number;
        /** Whether it failed. */
        readonly isFailed: boolean;
      }
  );
