export * from './session-entry';
export * from './session-errors';
export * from './session-store';
