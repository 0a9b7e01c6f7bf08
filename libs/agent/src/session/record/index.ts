// What happened in a session, and what follows from it: what is kept (`session-fold`, `run-state`,
// `headline`), and what readers are told (`telling`, `pieces`, `numbers`). Types and pure functions;
// nothing here reads, writes or waits.
export {
  type ActionAnswer,
  type AnnouncedCall,
  ENTRY_VERSION,
  type EntryNumbers,
  type RecordedEntry,
  type SessionEntry,
  type StoredEntry,
} from './session-entry';
export { type StepTiming } from './step-timing';
export { type StoredFailure } from './stored-failure';
export * from './draft';
export { type AskedWork, type RunCall, type RunState, withAskedUsage } from './run-state';
export { type AskedEvent, askedEvent, withTold } from './told-events';
export * from './session-state';
export { applyEntry, sessionStateOf } from './session-fold';
export * from './transcript';
export * from './headline';
export * from './pieces';
export * from './numbers';
export * from './telling';
export { type CrashEnd, crashEndOf, CUT_OFF_FAILURE, discardedBy } from './crash';
export { isQueueEntry, QUEUE_ENTRY_VERSION, type QueuedState } from './queue-entry';
export { formerCallIdsWith } from './former-calls';
