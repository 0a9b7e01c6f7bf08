// How long a history is for a model, and how a summary takes the place of its beginning.
export { type CompactionOptions, DEFAULT_COMPACTION } from './compaction';
export { TokenCounter } from './token-counter';
export { CompactionError, SessionCompactor } from './session-compactor';
