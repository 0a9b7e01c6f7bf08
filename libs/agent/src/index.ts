// The public API. Everything here is part of the contract; what is not here is not.
export * from './agent-options';
export * from './agent.module';
export {
  Tool,
  ToolField,
  Toolkit,
  ToolParam,
  ToolReturn,
  type ToolParamOptions,
} from './decorators';
export * from './message';
export * from './model';
export {
  defineTool,
  ToolRegistry,
  type FunctionToolOptions,
  type ToolDeclaration,
  type ToolGroup,
  type ToolHandler,
} from './registry';
export type { ExposedController, ScanOptions } from './discovery';
export {
  AUDIT_SINK,
  ToolCallFactory,
  ToolLoader,
  type AuditOptions,
  type AuditRecord,
  type AuditSink,
  type CallOptions,
  type Presets,
  type RouteOptions,
  type ToolDefaults,
  type ToolInterceptor,
} from './invocation';
export {
  AGENT_MODEL,
  AgentService,
  ActionConflictError,
  GenerationError,
  InvalidInputError,
  RunNotFoundError,
  SessionService,
  ToolNotFoundError,
  TooManyRunsError,
  type ChatAction,
  type ChatInput,
  type ChatOptions,
  type ChatResult,
  type GenerateInput,
  type ResumeOptions,
  type RunBudget,
  type RunFailure,
  type RunHandle,
  type SessionClaim,
  type SessionSummary,
  type StartOptions,
  type SystemPrompt,
  type ToolCallSummary,
  type ToolDetail,
  type ToolSummary,
} from './run';
export * from './session';
export {
  AgentError,
  AgentRun,
  InvalidArgumentsError,
  ToolContext,
  ToolDeclarationError,
  ToolEmitter,
  ToolError,
  ToolResult,
  type ArgumentIssue,
  type CallContext,
  type JsonSchema,
  type Permission,
  type PermissionLevel,
  type RetryOptions,
  // `Tool` is the decorator.
  type Tool as RegisteredTool,
  type ToolCall,
  type ToolDefinition,
  type ToolExample,
  type ToolFailure,
  type ToolkitOptions,
  type ToolOptions,
  type ToolResponse,
  type ToolResponseStatus,
  type ToolTraits,
} from './tool';
