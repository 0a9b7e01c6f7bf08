// Calls that are refused or fail: their errors, and the words that the model reads.
export {
  CallInterruptedError,
  CallNotPendingError,
  ToolTimeoutError,
  ToolUnavailableError,
} from './call-errors';
export { callOutcomeOf, failedOutcomeOf } from './call-outcome';
export { saidBy, statusName } from './error-body';
export { inspectable, isTransient, isUnexpected, toolFailureOf } from './failure';
export {
  declined,
  inactiveGroup,
  permissionDenied,
  RefusedCallError,
  toolChanged,
  unknownTool,
} from './refusals';
