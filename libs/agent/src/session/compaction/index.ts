// How long a history is for a model, and how a summary takes the place of its beginning.
export * from './compaction';
export * from './quotation';
export * from './session-compactor';
export * from './token-counter';
