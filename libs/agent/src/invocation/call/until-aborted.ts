import { raceAbort } from '../../internal';
import { CallInterruptedError } from './failures';

/** @throws CallInterruptedError */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return raceAbort(work, signal, () => new CallInterruptedError());
}
