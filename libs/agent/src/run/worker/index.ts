// Runs in a worker: taking up a run from its journal, returning it, and the sweep that adds lost
// jobs. The store decides; the queue only triggers.
export { RunTaker } from './run-taker';
export { RunTakers } from './run-takers';
export { WorkerProcess } from './worker.process';
