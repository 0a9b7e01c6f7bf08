import { count, notNegative, optionsOf } from './option-check';

type RetryOption = 'maxAttempts' | 'initialBackoffMs' | 'backoffMultiplier' | 'maxBackoffMs';

/** Of the module's `tools` and of a single tool. */
export const retryOptions = optionsOf<Record<RetryOption, unknown>>({
  maxAttempts: count,
  initialBackoffMs: notNegative,
  backoffMultiplier: notNegative,
  maxBackoffMs: notNegative,
});
