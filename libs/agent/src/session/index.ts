export * from './session.constants';
export * from './session-entry';
export * from './session-errors';
export * from './session-store';
export * from './memory.store';
export * from './run-state';
export * from './session-state';
