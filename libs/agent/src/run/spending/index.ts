// Who spends how much: what entries spent, its price, and the quotas of principals.
export { costOf, pricesFor } from './cost';
export { Quotas } from './quotas';
export { spendingsOf } from './spendings-of';
export { UsageRecorder } from './usage-recorder';
