// Errors as HTTP answers.
export {
  type ErrorBody,
  afterEffects,
  requestError,
  isInternal,
  messageOf,
  httpExceptionOf,
  RequestException,
  runFailed,
  shortMessage,
  reportsEffect,
} from './error-status';
export { failureOf, type Failure, retryHeaders } from './failure';
export { logFailure, logInternal } from './log-failure';
export { AgentErrorFilter } from './agent-error.filter';
