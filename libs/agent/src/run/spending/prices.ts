import type { TokenPrices } from '../../message';
import type { RunOptions } from '../request';

/** A model's own prices; `undefined` without any. */
export function pricesFor(
  prices: Readonly<Record<string, TokenPrices>>,
  model: string,
): TokenPrices | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

/** The prices of a model: those of the quota, then those of the budget. */
export function configuredPrices(
  { costPerPrincipal, budget }: RunOptions,
  model: string,
): TokenPrices | undefined {
  return (
    pricesFor(costPerPrincipal?.prices ?? {}, model) ?? pricesFor(budget.cost?.prices ?? {}, model)
  );
}
