import { costOf, type Usage } from '../../message';
import type { RunBudget } from '../request';
import { pricesFor } from './quotas';

/** Whether a run must end: the budget is used up, or cannot be checked. */
export function isOverBudget(
  { totalTokens = Infinity, toolCalls = Infinity, cost }: RunBudget,
  spent: {
    readonly usage: Usage;
    readonly toolCalls: number;
    /** The usage by the models' own names. */
    readonly byModel: ReadonlyMap<string, Usage>;
  },
): boolean {
  const { usage } = spent;
  // Written so that NaN as a limit does not lift the budget.
  const isWithin = usage.totalTokens < totalTokens && spent.toolCalls <= toolCalls;
  if (!isWithin) return true;
  if (cost === undefined) return false;
  let total = 0;
  for (const [model, used] of spent.byModel) {
    const prices = pricesFor(cost.prices, model);
    if (prices === undefined) return true;
    total += costOf(used, prices);
  }
  return !(total < cost.max);
}
