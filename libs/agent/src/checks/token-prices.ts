import type { TokenPrices } from '../message';
import { notNegative, optionsOf } from './option-check';

/** A model's prices per million tokens. */
export const tokenPrices = optionsOf<TokenPrices>({
  input: notNegative,
  output: notNegative,
  cachedInput: notNegative,
  cacheWrite: notNegative,
  reasoning: notNegative,
});
