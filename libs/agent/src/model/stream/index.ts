// One answer of a provider, from the connection to model events: retries, redirections, errors,
// time limits. Nothing here depends on a provider's protocol.
export { type AnswerResponse } from './model-fetch';
export { assertBaseUrl } from './base-url';
export { cutOff, eventIn, finishEvent, isCut, responseOf, textIn } from './provider-event';
export {
  answerOf,
  errorOf,
  isRefusal,
  keepRefusal,
  keepReported,
  keepUnreachable,
  loggableWords,
  logKept,
  secretsIn,
  toModelError,
  withUpstreamWords,
} from './failures';
export { checkModelOptions, PROVIDER_CHECKS } from './model-option-checks';
export { NO_RETRIES, providerFetch } from './provider-fetch';
export { RefusedSettings } from './refused-settings';
export { retryBeforeFirstEvent, type ModelRetryOptions } from './retry';
export { isWebAddress, SourceList } from './source-list';
export {
  type AnswerDecoder,
  type AnswerSource,
  begunTools,
  openedOrAbort,
  restOf,
  USAGE_WAIT_MS,
} from './stream-answer';
export { streamProvider } from './stream-provider';
export { type ModelTimeouts, DEFAULT_TIMEOUTS, Watchdog } from './watchdog';
