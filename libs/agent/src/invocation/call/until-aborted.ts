import { raceAbort } from '../../internal';
import { CallInterruptedError } from './call-errors';

/**
 * Waits for some work, but no longer than until the signal is aborted.
 *
 * @throws CallInterruptedError
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return raceAbort(work, signal, () => new CallInterruptedError());
}
