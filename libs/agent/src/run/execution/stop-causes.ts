import { type AskedBy, type RunContext, type StopCause, stopCauseOf } from '../context';

/** The cause for this run: closing the process does not end a worker's run. */
export function ownCause(cause: StopCause, { worker }: Pick<RunContext, 'worker'>): StopCause {
  return cause === 'shutdown' && worker ? 'suspended' : cause;
}

/** The cause of an asked agent's stop: that of the asking run. */
export function causeOf(askedBy: AskedBy | undefined): StopCause {
  const cause = (askedBy && stopCauseOf(askedBy.run.abort.signal)) ?? 'cancelled';
  return cause === 'suspended' ? 'shutdown' : cause;
}
