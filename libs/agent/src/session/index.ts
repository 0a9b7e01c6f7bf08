// Conversations as journals of entries, and the stores that keep them. Nothing here executes a run.
export * from './session.constants';
export * from './session-errors';
export * from './record';
export * from './stores';
export * from './compaction';
export * from './session-sweeper';
