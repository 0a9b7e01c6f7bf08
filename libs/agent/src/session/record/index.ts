// The meaning of entries: the state of a session (`session-fold`, `run-state`, `headline`) and the events
// for readers (`entry-events`). Types and pure functions; nothing here reads, writes or waits.
export {
  type ActionAnswer,
  type AnnouncedCall,
  type AskedEvent,
  askedEvent,
  countPieces,
  type Draft,
  ENTRY_VERSION,
  type EntryNumbers,
  GatheredPieces,
  isOfWorkers,
  isSameText,
  type PieceBody,
  type RecordedEntry,
  saying,
  type SessionEntry,
  type StepTiming,
  type StoredEntry,
  type StoredFailure,
  type StoredPieces,
  textIn,
  withAskedEvent,
} from './entries';
export { actionOf, hasAsked } from './call-state';
export { placeOfCall } from './run-calls';
export type { RunCall, RunState, AskedWork } from './run-state';
export * from './session-state';
export { applyEntry, sessionStateOf } from './session-fold';
export { refusedFrom, unseenText, withoutRefused, formerCallIdsWith } from './shortened-history';
export * from './transcript';
export * from './headline';
export * from './entry-events';
export { type CrashEnd, crashEndOf, discardedBy } from './crash';
export type { MeasuredPrefix } from './session-state';
