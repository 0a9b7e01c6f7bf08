// Errors as HTTP answers.
export {
  type ErrorBody,
  afterEffects,
  requestError,
  isUntold,
  httpExceptionOf,
  RequestException,
  shortMessage,
} from './error-status';
export { failureOf, type Failure, retryHeaders } from './failure';
export { logFailure } from './log-failure';
export { AgentErrorFilter } from './agent-error.filter';
export { runFailed, tellsOfEffect } from './run-failed';
