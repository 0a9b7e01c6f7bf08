import { CallInterruptedError } from '../call';

/** Waits; @throws CallInterruptedError at once where the signal is aborted. Leaves nothing behind. */
export function abortableDelay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      settle();
    };
    const interrupt = end(() => reject(new CallInterruptedError()));
    const timer = setTimeout(end(resolve), ms);
    if (signal?.aborted === true) interrupt();
    else signal?.addEventListener('abort', interrupt);
  });
}
