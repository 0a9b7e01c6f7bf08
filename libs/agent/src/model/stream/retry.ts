import { ModelError } from '../model-error';
import type { ModelObserver } from '../model-observer';
import { pause } from '../../internal';
import { FailedAttempts } from './failure-log';

/**
 * How often a model call is tried again before its first event, where its error may pass.
 *
 * @example
 * const retry: ModelRetryOptions = { maxAttempts: 5, initialDelayMs: 250 };
 */
export interface ModelRetryOptions {
  /** Attempts in all; 3 by default, 1 never tries again. */
  readonly maxAttempts?: number;
  /** Milliseconds before the second attempt, doubled for each further one; 500 by default. */
  readonly initialDelayMs?: number;
  /** The longest pause of our own choice in milliseconds; 8 000 by default. */
  readonly maxDelayMs?: number;
  /** The longest `Retry-After` that is waited for, in milliseconds; 30 000 by default. */
  readonly maxRetryAfterMs?: number;
}

/**
 * The pause before the next attempt, or `undefined` where there is none to be. `Retry-After` is a
 * lower bound; the jitter on top keeps many clients from coming back at once.
 */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  options: ModelRetryOptions,
  random: () => number = Math.random,
): number | undefined {
  if (!(error instanceof ModelError) || !error.isRetryable) return undefined;
  if (attempt >= (options.maxAttempts ?? 3)) return undefined;
  const initial = options.initialDelayMs ?? 500;
  const backoff = Math.min(initial * 2 ** (attempt - 1), options.maxDelayMs ?? 8_000);
  if (error.retryAfterMs === undefined) return backoff * (0.5 + random() / 2);
  if (error.retryAfterMs > (options.maxRetryAfterMs ?? 30_000)) return undefined;
  return error.retryAfterMs + backoff * 0.25 * random();
}

/**
 * Tries again while nothing was passed on yet. Once the first event is out, the attempt's own
 * iterator is handed through, so a long stream pays nothing for it. The log has one line about the
 * attempts that failed.
 */
export function retryBeforeFirstEvent<T>(
  open: () => AsyncIterator<T, void>,
  options: ModelRetryOptions,
  signal: AbortSignal,
  observer?: ModelObserver,
): AsyncIterableIterator<T, void> {
  let attempt: AsyncIterator<T, void> | undefined;
  let isStarted = false;
  let isEnded = false;
  const firstEvent = async (): Promise<IteratorResult<T, void>> => {
    const failed = new FailedAttempts();
    try {
      for (let count = 1; ; count++) {
        attempt = open();
        try {
          const first = await attempt.next();
          isStarted = true;
          return first;
        } catch (error) {
          if (!signal.aborted) failed.add(error);
          const delayMs = retryDelayMs(error, count, options);
          if (delayMs === undefined) throw error;
          observer?.retry(count, delayMs, error);
          await pause(delayMs, signal);
        }
      }
    } finally {
      failed.log(isStarted);
    }
  };
  return {
    next: () => {
      if (isEnded) return Promise.resolve({ done: true, value: undefined });
      return isStarted && attempt !== undefined ? attempt.next() : firstEvent();
    },
    return: async () => {
      isEnded = true;
      await attempt?.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
