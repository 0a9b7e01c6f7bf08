// Messages, their content blocks, usage, and the events of a run. Plain types, without Nest.
export * from './batched';
export * from './agent-event';
export * from './content-block';
export * from './json';
export * from './message';
export * from './token-cost';
export * from './under-way';
export * from './usage';
