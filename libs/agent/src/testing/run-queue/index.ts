// The suites of the run queue contract.
export { describeDelivery } from './delivery.suite';
export { describeKeeping } from './keeping.suite';
export { describeOrder } from './order.suite';
export { describeStopping } from './stopping.suite';
export { QueueUnderTest } from './queue-under-test';
