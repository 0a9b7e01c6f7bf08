/**
 * The module, its decorators and services, models, and the store in memory. Everything exported is
 * part of the contract, and nothing else is. Further parameter and return types of its methods are in
 * `nestjs-agent/types`; errors without a class here have a `code` of `AgentError`.
 *
 * @module nestjs-agent
 */
export {
  type AgentModuleAsyncOptions,
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
  type Message,
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
} from './model';
export { defineTool, ToolRegistry } from './registry';
export {
  AUDIT_SINK,
  LoggerAuditSink,
  ToolCallFactory,
  ToolLoader,
  type AuditRecord,
  type AuditSink,
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
  UsageService,
  type ChatInput,
  type ChatResult,
  type RunBus,
  type RunQueue,
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
  type Permission,
  type Tool as RegisteredTool, // `Tool` is the decorator.
  type ToolCall,
  type ToolDefinition,
  type ToolOptions,
  type ToolResponse,
} from './tool';
// TypeScript names types of another entry point only if this one refers to it.
export type {} from './types';
