/**
 * Tools for tests: a model that follows a script, and suites that every model and every session
 * store has to pass.
 *
 * @module nestjs-agent/testing
 */
// The types of a `SessionStore`'s methods, for those who write one.
export type {
  AgentFilter,
  Appended,
  AppendOptions,
  Draft,
  Lease,
  NewSession,
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
