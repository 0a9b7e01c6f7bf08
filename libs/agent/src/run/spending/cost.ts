import type { Usage } from '../../message';
import type { TokenPrices } from '../request';

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

/** A model's own prices; `undefined` without any. */
export function pricesFor(
  prices: Readonly<Record<string, TokenPrices>>,
  model: string,
): TokenPrices | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}
