/**
 * Tools for tests: a model that follows a script, a queue in memory, and suites that every model,
 * session store, bus and queue of runs must pass.
 *
 * @module nestjs-agent/testing
 */
// The types of the methods of a `SessionStore`, a `RunBus` and a `RunQueue`, for implementations.
export type {
  AgentFilter,
  Appended,
  AppendOptions,
  Draft,
  Lease,
  LeaseLimit,
  NewSession,
  QueuedRun,
  RecordedEntry,
  Renewed,
  RunRecord,
  SessionHeadline,
  SessionRecord,
  Spending,
  StoredEntry,
  TakenLease,
  UsageQuery,
  UsageSum,
  WaitingRun,
} from '../session';
export type {
  ClaimedRun,
  JobDelay,
  FollowOptions,
  OpenedRun,
  RedeemedCaller,
  RunChannel,
  RunJob,
  RunSignal,
  RunWorker,
} from '../run';
export * from './barrier';
export * from './chat-model-contract';
export * from './memory-runs';
export * from './run-bus-contract';
export * from './run-queue-contract';
export * from './scripted.model';
export * from './session-store-contract';
