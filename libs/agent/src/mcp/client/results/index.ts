// The outcome of a call: results as content, failures as errors that the model may read.
export { callFailureOf, reasonOf, ServerUnavailableError } from './call-failure';
export { toolResultOf } from './tool-result';
export { pacedProgress } from './progress';
