// The suites of the run bus contract.
export { BusUnderTest } from './bus-under-test';
export { describeEvents } from './events.suite';
export { describeOwnership } from './ownership.suite';
export { describeSignals } from './signals.suite';
