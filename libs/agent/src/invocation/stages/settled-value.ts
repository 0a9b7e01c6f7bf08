import { isObservable, type Observable } from 'rxjs';
import { paced } from '../../internal';

/** Told of every value but the last. */
type Progress = (value: unknown) => void;

/**
 * Waits for whatever a tool answered: a value, a Promise, an Observable or an async iterable, and
 * a Promise of one of these. The last value is the result, the earlier ones are progress; a
 * generator's `return` value is its result.
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

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
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
  // Not awaited: a generator that hangs in its own `await` would never answer.
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
