/**
 * Test tools: a model that follows a script, a queue in memory, and test suites for your own models,
 * session stores, buses and queues of runs.
 *
 * @module nestjs-agent/testing
 */
// The types in the methods of `SessionStore`, `RunBus` and `RunQueue`, for implementations.
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
