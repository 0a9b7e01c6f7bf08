// The stored form of a session: its entries, the events and pieces in them, and their numbers. The
// parent folder derives the state from them.
export type { ActionAnswer } from './action-answer';
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
  type AnnouncedCall,
  ENTRY_VERSION,
  type EntryNumbers,
  type EntryOf,
  ofNewerRelease,
  type RecordedEntry,
  type SessionEntry,
  type StoredEntry,
} from './session-entry';
export type { StepTiming } from './step-timing';
export type { StoredFailure } from './stored-failure';
export {
  type AskedEvent,
  askedEvent,
  countTold,
  toldEvents,
  withTold,
  type ToldEvent,
} from './told-events';
