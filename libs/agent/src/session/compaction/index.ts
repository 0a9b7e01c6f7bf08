// Estimating the length of a history, and replacing its beginning with a summary.
export { type CompactionOptions, DEFAULT_COMPACTION } from './compaction';
export { TokenCounter } from './token-counter';
export { CompactionError, SessionCompactor } from './session-compactor';
