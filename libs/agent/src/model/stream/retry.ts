import { ModelError } from '../model-error';
import type { ModelObserver } from '../model-observer';
import { pause } from '../../internal';
import { FailedAttempts } from './failures';

/**
 * Retries of a model call before its first event, after errors that may be temporary.
 *
 * @example
 * const retry: ModelRetryOptions = { maxAttempts: 5, initialDelayMs: 250 };
 */
export interface ModelRetryOptions {
  /** Attempts in all; 3 by default. With 1 there are no retries. */
  readonly maxAttempts?: number;
  /** Milliseconds before the second attempt, doubled for each further one; 500 by default. */
  readonly initialDelayMs?: number;
  /** The longest pause without a `Retry-After`, in milliseconds; 8 000 by default. */
  readonly maxDelayMs?: number;
  /** The longest `Retry-After` to wait for, in milliseconds; 30 000 by default. */
  readonly maxRetryAfterMs?: number;
}

/**
 * The pause before the next attempt; `undefined` for no further attempt. `Retry-After` is a lower
 * bound; jitter on top keeps many clients from returning at once.
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
 * Retries until the first event was passed on. From then on the reader gets the attempt's own
 * iterator, so a long stream has no extra cost. The log has one line about the failed attempts.
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
