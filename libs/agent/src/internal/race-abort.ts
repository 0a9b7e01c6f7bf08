/**
 * Settles like the work, or rejects with the error as soon as the signal is aborted. Leaves no
 * listener behind.
 */
export async function raceAbort<T>(
  work: PromiseLike<T>,
  signal: AbortSignal | undefined,
  toError: () => Error,
): Promise<T> {
  if (signal === undefined) return work;
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(toError());
  });
  signal.addEventListener('abort', interrupt);
  if (signal.aborted) interrupt();
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
