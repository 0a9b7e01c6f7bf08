import type { TokenPrices } from '../../message';

/** A model's own prices; `undefined` without any. */
export function pricesFor(
  prices: Readonly<Record<string, TokenPrices>>,
  model: string,
): TokenPrices | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}
