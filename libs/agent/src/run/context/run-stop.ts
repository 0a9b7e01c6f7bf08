import type { RunStatus, StopReason } from '../../message';

/** The cause of a stop, the reason of the aborted signal. */
export type StopCause = 'cancelled' | 'budget' | 'shutdown' | 'suspended' | 'lease_lost';

export const STOP_OUTCOME: Readonly<
  Record<StopCause, { readonly status: RunStatus; readonly stopReason: StopReason }>
> = {
  cancelled: { status: 'cancelled', stopReason: 'cancelled' },
  budget: { status: 'completed', stopReason: 'budget' },
  shutdown: { status: 'failed', stopReason: 'error' },
  // Not the end of the run: another worker continues it.
  suspended: { status: 'queued', stopReason: 'cancelled' },
  lease_lost: { status: 'failed', stopReason: 'error' },
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
