/**
 * Tools for tests: a model that follows a script, and suites that every model and every session
 * store has to pass.
 *
 * @module nestjs-agent/testing
 */
// What the methods of a `SessionStore` take and answer, for who writes one.
export type {
  Appended,
  AppendOptions,
  Draft,
  Lease,
  RecordedEntry,
  Renewed,
  RunRecord,
  SessionHeadline,
  SessionRecord,
  StoredEntry,
  TakenLease,
} from '../session';
export * from './barrier';
export * from './chat-model-contract';
export * from './scripted.model';
export * from './session-store-contract';
