// Runs: the agent loop; starting, finding and resuming runs; the services for applications.
export {
  type CompletionInput,
  GenerationError,
  type OfferedTool,
  ToolNotFoundError,
  type ToolDetail,
  type ToolSummary,
  AgentHealth,
  AgentService,
  type SessionSummary,
  type SessionDetail,
  SessionService,
  UsageService,
} from './api';
export { type FollowOptions, memoryBus, type OpenedRun, type RunBus, type RunSignal } from './bus';
export {
  CALLER_GATE,
  readRunJob,
  type CallerGate,
  type EnteredRequest,
  GateRefusedError,
  isRefusal,
  type JobDelay,
  type RequestOrigin,
  type RunCredentials,
  type RunJob,
  type RunQueue,
  type RunWorker,
} from './queue';
export { type RunChannel } from './record';
export { type ResumeOptions } from './lifecycle';
export { type SessionClaim } from './execution';
export {
  type InspectedModel,
  type InspectedRequest,
  RunInspector,
  type RunPage,
  type SessionTimeline,
  testOf,
} from './inspection';
export { isStoreAway, STORE_AWAY_FAILURE, INTERNAL_FAILURE } from './context';
export {
  checkedContent,
  DEFAULT_ATTACHMENTS,
  MAX_NAME_CHARS,
  type AttachmentLimits,
  type UserContent,
  type SystemPrompt,
  type ModelOptions,
  type ChatInput,
  type ChatAction,
  type ChatOptions,
  type StartOptions,
  type ToolCallSummary,
  type RunFailure,
  type ChatResult,
  RunNotFoundError,
  RunNotReplaceableError,
  InvalidInputError,
  ActionConflictError,
  ShuttingDownError,
  QueueFullError,
  type RunHandle,
  type TokenQuota,
  type CostQuota,
  QuotaExceededError,
  type RunBudget,
  type AskableAgent,
  type ShutdownOptions,
  type RunOptions,
  RUN_BUS,
  RUN_QUEUE,
  RUN_OPTIONS,
  AGENT_MODEL,
  AGENT_MODELS,
  ASKED_GUARDS,
  type AskedGuards,
} from './request';
export { AGENT_SETTINGS, AgentCalls, AgentRuns, type AgentSettings } from './agent';
export { agentProviders, RUN_PROVIDERS } from './run.providers';
