/**
 * The module, its decorators and services, models, and the store in memory. Everything exported is
 * part of the contract; what is not exported is not. Parts of a type are reached through it, as
 * `AgentOptions['limits']` or `Extract<ContentBlock, { type: 'image' }>`; errors without a class here by
 * the `code` of `AgentError`.
 *
 * @module nestjs-agent
 */
export {
  type AgentFeatureOptions,
  type AgentFeatureOptionsFactory,
  type AgentModuleAsyncOptions,
  type AgentModuleFeatureAsyncOptions,
  type AgentModuleFeatureOptions,
  type AgentModuleOptions,
  type AgentOptions,
  type AgentOptionsFactory,
  InvalidOptionsError,
} from './options';
export { AgentModule } from './agent.module';
export {
  getAgentToken,
  getSessionsToken,
  InjectAgent,
  InjectSessions,
  Tool,
  ToolField,
  Toolkit,
  ToolParam,
  ToolReturn,
} from './decorators';
export {
  resultText,
  textMessage,
  textOf,
  type AgentEvent,
  type ContentBlock,
  type JsonObject,
  type JsonValue,
  type Message,
  type PendingAction,
  type RunStatus,
  type Usage,
} from './message';
export {
  defineModel,
  fallback,
  ModelError,
  offline,
  openai,
  react,
  type ChatModel,
  type ModelEvent,
  type ModelRequest,
  type OpenAiOptions,
} from './model';
export {
  defineTool,
  ToolRegistry,
  type RegistryChange,
  type RuntimeToolkit,
  type ToolGroup,
} from './registry';
export type { PluginMetadata, StandardSchemaV1 } from './schema';
export {
  AUDIT_SINK,
  LoggerAuditSink,
  ToolCallFactory,
  ToolLoader,
  type AuditRecord,
  type AuditSink,
  type CallOptions,
  type ToolInterceptor,
} from './invocation';
export { UnknownPrincipalError } from './http/caller';
export { AgentErrorFilter } from './http/errors';
export {
  AGENT_MODEL,
  AgentHealth,
  AgentService,
  ActionConflictError,
  GenerationError,
  InvalidInputError,
  RunNotFoundError,
  RunNotReplaceableError,
  SessionService,
  memoryBus,
  ToolNotFoundError,
  type AgentHealthState,
  UsageService,
  type ChatInput,
  type ChatOptions,
  type ChatResult,
  type OfferedTool,
  type RunBus,
  type RunCredentials,
  type RunHandle,
  type RunQueue,
  type SessionDetail,
  type SessionSummary,
  type ToolDetail,
  type ToolSummary,
  type UsageTotals,
} from './run';
export {
  LeaseLostError,
  memoryStore,
  SESSION_STORE,
  SessionBusyError,
  SessionExistsError,
  SessionNotFoundError,
  sessionStateOf,
  SessionStoreError,
  TooManyRunsError,
  VersionConflictError,
  type SessionStore,
  type TranscriptMessage,
} from './session';
export type { AgentTelemetry } from './telemetry';
export {
  AgentError,
  AgentRun,
  InvalidArgumentsError,
  ToolContext,
  ToolDeclarationError,
  ToolEmitter,
  ToolError,
  ToolResult,
  type JsonSchema,
  type Permission,
  type Tool as RegisteredTool, // `Tool` is the decorator.
  type ToolCall,
  type ToolDefinition,
  type ToolOptions,
  type ToolResponse,
} from './tool';
