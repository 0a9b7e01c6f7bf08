export * from './session.constants';
export * from './session-errors';
export * from './record';
export * from './stores';
export * from './compaction';
export * from './session-sweeper';
