/**
 * Tools for tests: a model that follows a script, and suites that every model and every session
 * store has to pass.
 *
 * @module nestjs-agent/testing
 */
export * from './barrier';
export * from './chat-model-contract';
export * from './scripted.model';
export * from './session-store-contract';
