/**
 * Tools for tests: a model that follows a script, and suites for every model, session store and bus.
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
// The types of a `RunBus`'s methods.
export type { OpenedRun, RunChannel, RunSignal } from '../run';
export * from './barrier';
export * from './chat-model-contract';
export * from './run-bus-contract';
export * from './scripted.model';
export * from './session-store-contract';
