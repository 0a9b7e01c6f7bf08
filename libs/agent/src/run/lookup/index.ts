// Runs of any process by id or session: finding, following, cancelling.
export { MOST_TRIES, pauseBeforeNext, RunLookup } from './run-lookup';
export { QueuedRuns } from './queued-runs';
export { WaitingRunCanceller } from './waiting-run.canceller';
export { Elsewhere, isExecuted } from './elsewhere';
export { RunReader } from './run.reader';
export { discardedOf, endOpenCalls } from './open-calls';
