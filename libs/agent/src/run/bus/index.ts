// Between the process that carries a run out and the others: events out, stop and answers in. The
// store alone decides what happened; a bus makes it known sooner.
export { memoryBus } from './memory.bus';
export type { OpenedRun, RunBus, RunChannel, RunSignal } from './run-bus';
