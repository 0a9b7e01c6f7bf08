// One run: model turns, tool steps, compaction, budget, ending. Nothing here starts or finds a
// run.
export { takeTurn } from './model-turn';
export { isStoreAway, STORE_AWAY_FAILURE } from './run-failure';
export { type StopCause, stopCauseOf } from './run-stop';
export {
  DECLINED_BY_MESSAGE,
  LEFT_BY_MESSAGE,
  NEVER_RAN,
  OUTCOME_UNKNOWN,
  APPROVAL_EXPIRED,
  CANCELLED,
  rejected,
  RESULT_EXPIRED,
  UNANSWERED,
} from './call-endings';
export { actionOf, approvalOf, endCalls, type EndedCall, isAskedOutside } from './call-results';
export { type Asking, type AwaitedAction } from './asking';
export {
  type AskedBy,
  callContextOf,
  originOf,
  outermost,
  type RunContext,
  RunReference,
  stopRun,
} from './run-context';
export { ToolStep, type ToolStepServices, type RequestedCall } from './tool-step';
export { AgentLoop } from './agent-loop';
export { type LoopRequest } from './model-caller';
export { messagesFor, surroundingsOf } from './model-request';
export { LoopServices } from './loop-services';
export { promptFor } from './run-prompt';
export { Attendance, onceUnattended } from './attendance';
export { type RunOutcome, RunEnding } from './run-ending';
export { withHint } from './repeated-calls';
export { isOnOffer } from './offered-tools';
