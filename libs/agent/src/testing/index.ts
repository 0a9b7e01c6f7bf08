/**
 * Test tools: a model that follows a script, a queue in memory, and test suites for your own models,
 * session stores, buses and queues of runs.
 *
 * @module nestjs-agent/testing
 */
export * from './barrier';
export * from './chat-model-contract';
export * from './memory-runs';
export * from './run-bus-contract';
export * from './run-queue-contract';
export * from './scripted.model';
export * from './session-store-contract';
