// The suites of the session store contract.
export { describeAgents } from './agents.suite';
export { describeChildren } from './children.suite';
export { describeDeletion } from './deletion.suite';
export { describeDeletionOfChildren } from './deletion-of-children.suite';
export { describeDeliveries } from './deliveries.suite';
export { describeJournal } from './journal.suite';
export { describeLeases } from './leases.suite';
export { describeNewLeases } from './new-leases.suite';
export { describeQueuedRuns } from './queued-runs.suite';
export { describeSessions } from './sessions.suite';
export { describeUsage } from './usage.suite';
export { StoreUnderTest } from './store-under-test';
