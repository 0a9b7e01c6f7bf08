// Where sessions live: what a store does, and the one in memory. A store knows nothing of what the
// entries mean.
export * from './session-store';
export * from './memory.store';
export * from './queued-runs';
export * from './usage-ledger';
export * from './abortable-store';
