// Signals between the processes of an application: events from a run's process, stops and results
// to it. The store decides; a bus is only faster.
export { memoryBus } from './memory.bus';
export type { FollowOptions, OpenedRun, RunBus, RunSignal } from './run-bus';
