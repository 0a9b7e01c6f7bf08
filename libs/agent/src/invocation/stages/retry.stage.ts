import { pause } from '../../internal';
import { isRepeatable, type RetryOptions } from '../../tool';
import { CallInterruptedError, toolFailureOf, isTransient, type ToolDefaults } from '../call';
import type { Stage } from './stage.interface';

/** Retries transient failures of read-only or idempotent tools, with increasing pauses. */
export function retryStage({ retry }: Pick<ToolDefaults, 'retry'>): Stage {
  return async (execution, signal, next) => {
    const { tool, response } = execution;
    if (!isRepeatable(tool)) return next(signal);
    const options = { ...retry, ...tool.retry };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(signal);
      } catch (error) {
        if (attempt >= options.maxAttempts || signal?.aborted === true || !isTransient(error))
          throw error;
        const pauseMs = pauseAfter(attempt, options);
        response.logs.push(
          `Attempt ${attempt} failed (${toolFailureOf(error).code}); trying again in ${pauseMs} ms.`,
        );
        await pause(pauseMs, signal, () => new CallInterruptedError());
      }
    }
  };
}

/** Between half of the pause and all of it, so that callers do not come back at once. */
function pauseAfter(
  attempt: number,
  { initialBackoffMs, backoffMultiplier, maxBackoffMs }: Required<RetryOptions>,
): number {
  const whole = Math.min(maxBackoffMs, initialBackoffMs * backoffMultiplier ** (attempt - 1));
  return Math.floor(whole * (0.5 + Math.random() / 2));
}
