import type { Usage } from './usage';

/**
 * A model's prices per million tokens, in any one currency.
 *
 * @example
 * const prices: TokenPrices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
 */
export interface TokenPrices {
  /** Input tokens. */
  readonly input: number;
  /** Output tokens. */
  readonly output: number;
  /** Input tokens read from the provider's cache; `input` by default. */
  readonly cachedInput?: number;
  /** Input tokens written to the provider's cache; `input` by default. */
  readonly cacheWrite?: number;
  /** Reasoning tokens; `output` by default. */
  readonly reasoning?: number;
}

/** The cost of tokens. A kind without its own price costs as much as input or output. */
export function costOf(usage: Usage, prices: TokenPrices): number {
  const { input, output, cachedInput = input, cacheWrite = input, reasoning = output } = prices;
  const { cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  const sent = usage.inputTokens - cachedInputTokens - cacheWriteTokens;
  const written = usage.outputTokens - reasoningTokens;
  const total =
    sent * input +
    cachedInputTokens * cachedInput +
    cacheWriteTokens * cacheWrite +
    written * output +
    reasoningTokens * reasoning;
  return total / 1e6;
}
