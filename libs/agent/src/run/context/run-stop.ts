import type { RunStatus, StopReason } from '../../message';
import type { RunFailure } from '../request';
import { LEASE_LOST_FAILURE, SHUTDOWN_FAILURE } from './run-failure';

/** The cause of a stop, the reason of the aborted signal. */
export type StopCause = 'cancelled' | 'budget' | 'shutdown' | 'suspended' | 'lease_lost';

/** How a run ends that was stopped for a cause. */
export const STOP_OUTCOME: Readonly<
  Record<
    StopCause,
    { readonly status: RunStatus; readonly stopReason: StopReason; readonly failure?: RunFailure }
  >
> = {
  cancelled: { status: 'cancelled', stopReason: 'cancelled' },
  budget: { status: 'completed', stopReason: 'budget' },
  shutdown: { status: 'failed', stopReason: 'error', failure: SHUTDOWN_FAILURE },
  // Not the end of the run: another worker continues it.
  suspended: { status: 'queued', stopReason: 'cancelled' },
  lease_lost: { status: 'failed', stopReason: 'error', failure: LEASE_LOST_FAILURE },
};

/** The reason of an aborted run's signal. */
export class RunStop extends Error {
  override readonly name = 'AbortError';

  constructor(readonly stopCause: StopCause) {
    super(`The run was stopped: ${stopCause}.`);
  }
}

/** The cause of a signal's abort; a foreign abort counts as a cancel. */
export function stopCauseOf(signal: AbortSignal): StopCause | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof RunStop ? signal.reason.stopCause : 'cancelled';
}
