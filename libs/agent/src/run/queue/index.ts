// The queue that moves runs from the processes that accept them to those that execute them.
export { readRunJob, RUN_JOB_VERSION, type ReadJob } from './run-job';
export type {
  ClaimedRun,
  JobDelay,
  RedeemedCaller,
  RunCredentials,
  RunJob,
  RunQueue,
  RunWorker,
} from './run-queue';
