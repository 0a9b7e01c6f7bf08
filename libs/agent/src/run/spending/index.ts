// Who spends how much: the totals of a run against its budget, what entries spent, its price, and the
// quotas of principals.
export { pricesFor } from './prices';
export { RunTotals } from './run-totals';
export { Quotas } from './quotas';
export { spendingsOf } from './spendings-of';
export { UsageRecorder } from './usage-recorder';
