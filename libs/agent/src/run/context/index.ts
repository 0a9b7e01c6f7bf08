// The context of one run, from start to end: its prompt, time limit, attendance, failure.
export { promptFor } from './run-prompt';
export {
  type AskedBy,
  RunReference,
  callContextOf,
  type RunContext,
  runOriginOf,
  outermost,
  stopRun,
  limitDuration,
  ownCause,
  causeOf,
} from './run-context';
export { type Asking, type AwaitedAction } from './asking';
export {
  isStoreAway,
  STORE_AWAY_FAILURE,
  INTERNAL_FAILURE,
  runFailureOf,
  LEASE_LOST_FAILURE,
} from './run-failure';
export { type StopCause, stopCauseOf, STOP_OUTCOME } from './run-stop';
export { Attendance, onceUnattended } from './attendance';
