import type { TokenPrices } from '../message';
import { notNegative, optionsOf, count } from './option-check';

/** A model's prices per million tokens. */
export const tokenPrices = optionsOf<TokenPrices>({
  input: notNegative,
  output: notNegative,
  cachedInput: notNegative,
  cacheWrite: notNegative,
  reasoning: notNegative,
});

type RetryOption = 'maxAttempts' | 'initialBackoffMs' | 'backoffMultiplier' | 'maxBackoffMs';

/** Of the module's `tools` and of a single tool. */
export const retryOptions = optionsOf<Record<RetryOption, unknown>>({
  maxAttempts: count,
  initialBackoffMs: notNegative,
  backoffMultiplier: notNegative,
  maxBackoffMs: notNegative,
});
