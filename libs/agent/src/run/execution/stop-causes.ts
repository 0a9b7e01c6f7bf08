import type { LeaseSignals } from '../../session';
import { type AskedBy, type RunContext, type StopCause, stopCauseOf, stopRun } from '../context';

/** A worker's run does not end with its process. */
export function ownCause(cause: StopCause, { worker }: Pick<RunContext, 'worker'>): StopCause {
  return cause === 'shutdown' && worker ? 'suspended' : cause;
}

/** Handles requests of other processes. */
export function heed(run: RunContext, { stop }: LeaseSignals): void {
  if (stop === run.runId) stopRun(run, 'cancelled');
}

/** An asked agent's run ends for the reason for which the run that asked does. */
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
