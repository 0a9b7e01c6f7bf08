// The failure of a request to a provider: the error that the application gets, and the line that the
// log gets, without secrets.
export { keepErrorIn, keepOrigin } from './answer-origin';
export { FailedAttempts, keepRefusal, keepReported, keepUnreachable, logKept } from './failure-log';
export { loggableWords, secretsIn } from './loggable-words';
export { refusesMedia } from './refused-media';
export { toModelError, withUpstreamWords } from './provider-error';
export { answerOf, errorOf, isRefusal } from './refusal';
