/** The longest delay of a timer, in milliseconds: Node fires a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The error of a cancelled stream; its `name` is `AbortError`, its `cause` the reason. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === 'AbortError') return reason;
  const error = new Error('The model call was cancelled.', { cause: reason });
  error.name = 'AbortError';
  return error;
}

export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw abortError(signal);
}

/** Calls back on abort, also if already aborted. Returns a function that stops listening. */
export function onceAborted(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) queueMicrotask(callback);
  signal.addEventListener('abort', callback, { once: true });
  return () => signal.removeEventListener('abort', callback);
}

/** Settles like the promise, or rejects with an `AbortError` as soon as the signal aborts. */
export async function orAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  throwIfAborted(signal);
  return raceAbort(promise, signal, () => abortError(signal));
}

/** Waits. On abort it rejects, with an `AbortError` by default, and clears its timer. */
export async function pause(
  ms: number,
  signal?: AbortSignal,
  toError: (signal: AbortSignal) => Error = abortError,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  });
  try {
    await (signal ? raceAbort(elapsed, signal, () => toError(signal)) : elapsed);
  } finally {
    clearTimeout(timer);
  }
}

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
