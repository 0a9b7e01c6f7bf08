import type { IBackoff } from 'cockatiel';
import { isRepeatable, type RetryOptions } from '../../tool';
import { type Execution, toolFailureOf, isTransient, type ToolDefaults } from '../call';
import { abortableDelay } from './abortable-delay';
import type { NextStage, Stage } from './stage.interface';

/**
 * Tries again what may be tried again: transient failures of tools that are read-only or
 * idempotent, after pauses that grow. cockatiel computes the pauses; its own retry loop cannot be
 * interrupted while it waits.
 */
export class RetryStage implements Stage {
  constructor(private readonly defaults: Pick<ToolDefaults, 'retry'>) {}

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { tool, response } = execution;
    if (!isRepeatable(tool.traits)) return next(signal);
    const options = { ...this.defaults.retry, ...tool.retry };
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
        await abortableDelay(pauseMs, signal);
      }
    }
  }
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
