// Session stores: the interface, and the store in memory. A store knows nothing about the meaning of
// entries.
export * from './session-store';
export * from './memory.store';
export * from './queued-runs';
export * from './usage-ledger';
export * from './abortable-store';
