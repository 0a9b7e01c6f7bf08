import { isObservable, type Observable } from 'rxjs';
import { isAsyncIterable, paced } from '../../internal';

/** Receives every value but the last. */
type Progress = (value: unknown) => void;

/**
 * Awaits a tool's result: a value, a Promise, an Observable, an async iterable, or a Promise of
 * one. The last value is the result, earlier ones are progress; a generator's result is its
 * `return` value.
 */
export async function settledValue(
  answer: unknown,
  progress: Progress,
  signal: AbortSignal,
): Promise<unknown> {
  const value = await answer;
  if (isObservable(value)) return lastObserved(value, progress, signal);
  if (isAsyncIterable(value)) return lastIterated(value, progress, signal);
  return value;
}

function lastObserved(
  source: Observable<unknown>,
  progress: Progress,
  signal: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: { readonly value: unknown } | undefined;
    const subscription = source.subscribe({
      next(value) {
        if (last !== undefined) progress(last.value);
        last = { value };
      },
      error: reject,
      complete: () => resolve(last?.value),
    });
    if (subscription.closed) return;
    const stop = () => subscription.unsubscribe();
    signal.addEventListener('abort', stop, { once: true });
    subscription.add(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}

async function lastIterated(
  source: AsyncIterable<unknown>,
  progress: Progress,
  signal: AbortSignal,
): Promise<unknown> {
  const iterator = paced(source);
  // Not awaited: a hanging generator would never return.
  const end = () => void (async () => iterator.return?.())().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  let last: { readonly value: unknown } | undefined;
  try {
    while (!signal.aborted) {
      const step = await iterator.next();
      if (step.done === true) return step.value === undefined ? last?.value : step.value;
      if (last !== undefined) progress(last.value);
      last = { value: step.value };
    }
    return last?.value;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
