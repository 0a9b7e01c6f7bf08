import type { IBackoff } from 'cockatiel';
import { pause } from '../../internal';
import { isRepeatable, type RetryOptions } from '../../tool';
import { CallInterruptedError, toolFailureOf, isTransient, type ToolDefaults } from '../call';
import type { Stage } from './stage.interface';

/**
 * Retries transient failures of read-only or idempotent tools, with increasing pauses. cockatiel
 * computes the pauses; its own retry loop cannot be interrupted while it waits.
 */
export function retryStage({ retry }: Pick<ToolDefaults, 'retry'>): Stage {
  return async (execution, signal, next) => {
    const { tool, response } = execution;
    if (!isRepeatable(tool)) return next(signal);
    const options = { ...retry, ...tool.retry };
    let backoff: IBackoff<unknown> | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(signal);
      } catch (error) {
        if (attempt >= options.maxAttempts || signal?.aborted === true || !isTransient(error))
          throw error;
        backoff = backoff?.next(undefined) ?? firstBackoff(options);
        const pauseMs = backoff.duration;
        response.logs.push(
          `Attempt ${attempt} failed (${toolFailureOf(error).code}); trying again in ${pauseMs} ms.`,
        );
        await pause(pauseMs, signal, () => new CallInterruptedError());
      }
    }
  };
}

function firstBackoff(options: Required<RetryOptions>): IBackoff<unknown> {
  const { ExponentialBackoff, halfJitterGenerator } =
    require('cockatiel') as typeof import('cockatiel');
  return new ExponentialBackoff({
    generator: halfJitterGenerator,
    initialDelay: options.initialBackoffMs,
    exponent: options.backoffMultiplier,
    maxDelay: options.maxBackoffMs,
  }).next();
}
