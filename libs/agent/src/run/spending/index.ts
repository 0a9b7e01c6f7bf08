// Usage and cost: a run's totals against its budget, the usage of entries, prices, and the quotas of
// principals.
export { estimateUsage } from './estimated-usage';
export { configuredPrices, Quotas } from './quotas';
export { RunTotals } from './run-totals';
export { spendingsOf } from './spendings-of';
export { UsageRecorder } from './usage-recorder';
