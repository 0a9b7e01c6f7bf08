// Chat models: their interface, and adapters for protocols of providers. Nothing here depends on
// runs.
export { AnswerContent } from './answer-content';
export * from './chat-model';
export {
  defineModel,
  type ModelDefinition,
  type ModelOutput,
  type ModelReply,
} from './define-model';
export * from './fallback.model';
export * from './model-error';
export {
  type AskModel,
  askModel,
  askObserved,
  observedModel,
  type CallWatch,
  type ModelObserver,
} from './model-observer';
export { offline } from './offline';
export { openai, type OpenAiOptions, type OpenAiQuirks } from './openai';
export * from './react';
export { type ToolDialect, toolDialectsOf } from './tool-dialect';
export type { ModelRetryOptions, ModelTimeouts } from './stream';
// Not by way of `stream`, which loads the packages that only some models need.
export { refusesMedia } from './stream/failures';
