// The stored form of a session: its entries, the events and pieces in them, and their numbers. The
// parent folder derives the state from them.
export type { ActionAnswer, AnnouncedCall, StepTiming, StoredFailure } from './entry-parts';
export type { Draft } from './draft';
export {
  countPieces,
  GatheredPieces,
  isSameText,
  type PieceBody,
  piecesOf,
  saying,
  type StoredPieces,
  textIn,
} from './pieces';
export { applyToQueued, isOfWorkers, type QueuedState, type QueueEntry } from './queue-entry';
export {
  ENTRY_VERSION,
  type EntryNumbers,
  type EntryOf,
  ofNewerRelease,
  type RecordedEntry,
  type SessionEntry,
  type StoredEntry,
} from './session-entry';
export {
  type AskedEvent,
  askedEvent,
  countAsked,
  askedEvents,
  withAskedEvent,
  type StoredAskedEvent,
} from './asked-events';
