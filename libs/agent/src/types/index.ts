/**
 * Parameter and return types of public methods, for annotations, and for the declarations that
 * TypeScript writes of an application. No code.
 *
 * @module nestjs-agent/types
 */
export type { CompletionContext, ToolParamOptions, ToolPipe } from '../decorators';
export type {
  ControllerExposure,
  ExposedController,
  ExposedRoutes,
  ScanOptions,
} from '../discovery';
export type { PrincipalOf } from '../http/caller';
export type {
  DisconnectPolicy,
  OpenAiProtocols,
  ProtocolOptions,
  UiOptions,
  WorkbenchContext,
  WorkbenchOptions,
} from '../http/options';
export type { CallAnswer } from '../invocation';
export type { AuditOptions, AuditedApproval } from '../invocation/audit';
export type { CallOptions, Delivery, ToolDefaultOptions } from '../invocation/call';
export type { ToolSelection } from '../invocation/catalog';
export type { BuiltinOptions } from '../invocation/catalog/builtins';
export type {
  PresetFunction,
  PresetValue,
  Presets,
  ValidationOptions,
} from '../invocation/provider';
export type {
  AgentEventBody,
  CallOutcome,
  ContentBlock,
  FileBlock,
  FinishReason,
  ImageBlock,
  JsonObject,
  JsonValue,
  ModelUsage,
  Notice,
  PendingAction,
  ProviderData,
  ProviderToolBlock,
  ReasoningBlock,
  ResultContent,
  Role,
  RunStatus,
  SourceBlock,
  StopReason,
  TextBlock,
  TokenPrices,
  ToolKind,
  ToolResultBlock,
  ToolUseBlock,
} from '../message';
export type {
  ModelCapabilities,
  ModelDefinition,
  ModelErrorCode,
  ModelObserver,
  ModelOutput,
  ModelReply,
  ModelSettings,
  ResponseFormat,
  ToolChoice,
} from '../model';
export type { OfflineOptions } from '../model/offline';
export type { OpenAiOptions, OpenAiQuirks } from '../model/openai';
export type { ModelRetryOptions, ModelTimeouts } from '../model/stream';
export type {
  AgentFeatureOptions,
  AgentFeatureOptionsFactory,
  AgentModuleFeatureAsyncOptions,
  AgentModuleFeatureOptions,
  AgentModuleStaticOptions,
  InstanceOrClass,
  LimitOptions,
  SessionOptions,
} from '../options';
export type {
  DescribedTool,
  FunctionToolOptions,
  InputOf,
  RegistryChange,
  RuntimeToolkit,
  ToolDeclaration,
  ToolGroup,
  ToolHandler,
  ToolSchema,
} from '../registry';
export type {
  AgentHealthState,
  AgentPartHealth,
  CompletionInput,
  DeliveredResult,
  GenerateInput,
  Generated,
  HealthStatus,
  OfferedTool,
  SessionDetail,
  SessionSummary,
  ToolDetail,
  ToolSummary,
  UsageGroup,
  UsageTotals,
  UsageTotalsQuery,
} from '../run/api';
export type { FollowOptions, OpenedRun, RunSignal } from '../run/bus';
export type { SessionClaim } from '../run/execution';
export type { ResumeOptions } from '../run/lifecycle';
export type {
  ClaimedRun,
  JobDelay,
  RedeemedCaller,
  RunCredentials,
  RunJob,
  RunWorker,
} from '../run/queue';
export type { RunChannel } from '../run/record';
export type {
  AskableAgent,
  AttachmentLimits,
  ChatAction,
  ChatOptions,
  CostQuota,
  ModelOptions,
  PromptContext,
  RunBudget,
  RunFailure,
  RunHandle,
  ShutdownOptions,
  StartOptions,
  SystemPrompt,
  TokenQuota,
  ToolCallSummary,
  UserContent,
} from '../run/request';
export type {
  SchemaSource,
  SchemaType,
  StandardIssue,
  StandardResult,
  StandardSchemaV1,
} from '../schema/from-class';
export type { PluginMetadata, ToolFieldOptions, ToolReturnOptions } from '../schema/metadata';
export type { CompactionOptions } from '../session/compaction';
export type {
  ActionState,
  AskedWork,
  CallApproval,
  MeasuredPrefix,
  OpenCall,
  RunCall,
  RunState,
  SessionHeadline,
  SessionState,
  TranscriptMessage,
} from '../session/record';
export type {
  ActionAnswer,
  AnnouncedCall,
  AskedEvent,
  Draft,
  EntryNumbers,
  QueueEntry,
  QueuedState,
  RecordedEntry,
  SessionEntry,
  StepTiming,
  StoredEntry,
  StoredFailure,
  StoredPieces,
  StoredAskedEvent,
} from '../session/record/entries';
export type {
  AgentFilter,
  AppendOptions,
  Appended,
  Lease,
  LeaseLimit,
  LeaseSignals,
  NewSession,
  QueuedRun,
  Renewed,
  RunRecord,
  SessionRecord,
  Spending,
  TakenLease,
  UsageField,
  UsageQuery,
  UsageSum,
  WaitingRun,
} from '../session/stores';
export type {
  ObservedAnswerContent,
  ObservedCallContent,
  ObservedDispatch,
  ObservedDispatchEnd,
  ObservedEnd,
  ObservedEvent,
  ObservedMeasure,
  ObservedModel,
  ObservedModelCall,
  ObservedModelCallEnd,
  ObservedOrigin,
  ObservedQueue,
  ObservedRequestContent,
  ObservedResponse,
  ObservedResultContent,
  ObservedRun,
  ObservedRunEnd,
  ObservedStep,
  ObservedStepEnd,
  ObservedToolCall,
  ObservedToolCallEnd,
  TraceHeaders,
  TraceIds,
} from '../telemetry';
export type {
  ArgumentIssue,
  CallContext,
  ErrorCause,
  JsonSchema,
  PermissionLevel,
  RememberedTool,
  RetryOptions,
  ToolAnswer,
  ToolExample,
  ToolFailure,
  ToolInvocation,
  ToolOffer,
  ToolRequest,
  ToolResponseStatus,
  ToolTraits,
  ToolkitOptions,
  ToolkitSummary,
} from '../tool';
