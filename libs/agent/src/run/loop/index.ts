// The steps of one run: model turns, tool steps, compaction, ending. It neither starts nor finds runs.
export { ClientTools, type ToolsOfRun } from './client-tools';
export { LoopServices } from './loop-services';
export { Models } from './models';
export { checkToolChoice } from './offered-tools';
export { takeTurn } from './model-turn';
export { type LoopRequest, messagesFor, storedRequest, surroundingsOf } from './model-request';
export {
  approvalOf,
  approvedDigestOf,
  type EndedCall,
  endCalls,
  isAskedOutside,
  mayHaveRun,
} from './call-results';
export {
  APPROVAL_EXPIRED,
  rejected,
  RESULT_EXPIRED,
  CANCELLED,
  OUTCOME_UNKNOWN,
  UNANSWERED,
  DECLINED_BY_MESSAGE,
  LEFT_BY_MESSAGE,
  NEVER_RAN,
} from './call-endings';
export { ToolStep, type RequestedCall } from './tool-step';
export { AgentLoop } from './agent-loop';
export { type RunOutcome, RunEnding } from './run-ending';
export { withHint } from './repeated-calls';
