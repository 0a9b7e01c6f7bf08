import type { LeaseSignals } from '../../session';
import { type AskedBy, type RunContext, type StopCause, stopCauseOf, stopRun } from '../context';

/** The cause for this run: closing the process does not end a worker's run. */
export function ownCause(cause: StopCause, { worker }: Pick<RunContext, 'worker'>): StopCause {
  return cause === 'shutdown' && worker ? 'suspended' : cause;
}

/** Stops the run when another process requests it. */
export function heed(run: RunContext, { stop }: LeaseSignals): void {
  if (stop === run.runId) stopRun(run, 'cancelled');
}

/** The cause of an asked agent's stop: that of the asking run. */
export function causeOf(askedBy: AskedBy | undefined): StopCause {
  const cause = (askedBy && stopCauseOf(askedBy.run.abort.signal)) ?? 'cancelled';
  return cause === 'suspended' ? 'shutdown' : cause;
}

/** Calls back on abort, also if already aborted. Returns a function that stops listening. */
export function linkSignal(signal: AbortSignal | undefined, onAbort: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) queueMicrotask(onAbort);
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}
