// Signals between the processes of an application: events from a run's process; stops and results
// to it. The store decides; a bus only shortens delays.
export { memoryBus } from './memory.bus';
export type { FollowOptions, OpenedRun, RunBus, RunSignal } from './run-bus';
