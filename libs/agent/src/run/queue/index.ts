// Passing runs from the process that accepts them to a worker: the queue's interface, the format of
// a job, sealed claims, and how a worker becomes the caller. Nothing here executes a run.
export {
  CALLER_GATE,
  type CallerGate,
  type EnteredRequest,
  GateRefusedError,
  type RequestOrigin,
} from './caller-gate';
export { isRefusal } from './refusal-status';
export { type QueuedFacts, factsOf, storedFacts } from './queued-facts';
export { RunCaller } from './run-caller';
export { RunClaims } from './run-claims';
export { RunJobs } from './run-jobs';
export { QueueDepth } from './queue-depth';
export { prioritiesOf, priorityOf } from './run-priority';
export { readRunJob, RUN_JOB_VERSION } from './run-job';
export type {
  ClaimedRun,
  JobDelay,
  RedeemedCaller,
  RunCredentials,
  RunJob,
  RunQueue,
  RunWorker,
} from './run-queue';
