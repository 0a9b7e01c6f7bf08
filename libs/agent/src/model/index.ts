export * from './chat-model';
export * from './define-model';
export * from './fallback.model';
export * from './model-error';
export { type AskModel, askModel, askObserved, type ModelObserver } from './model-observer';
export * from './offline';
export * from './openai';
export * from './react';
export type { ModelRetryOptions, ModelTimeouts } from './stream';
