// Runs in a worker: taking one up from its journal, giving it back, and the sweep that adds lost
// jobs. The store decides; the queue only says when to look.
export { RunTaker } from './run-taker';
export { RunTakers } from './run-takers';
export { WorkerProcess } from './worker.process';
