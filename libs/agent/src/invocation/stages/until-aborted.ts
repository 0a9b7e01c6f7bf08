import { CallInterruptedError } from '../call/call-errors';

/**
 * Waits for some work, but no longer than until the signal is aborted. Leaves no listener behind.
 *
 * @throws CallInterruptedError
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return work;
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new CallInterruptedError());
  });
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
