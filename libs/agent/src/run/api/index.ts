// The injectable services of an application: AgentService, SessionService, UsageService and
// AgentHealth.
export { type CompletionInput, CompletionRunner } from './completion';
export {
  GenerationError,
  StructuredOutput,
  type GenerateInput,
  type Generated,
} from './structured-output';
export {
  type OfferedTool,
  ToolNotFoundError,
  type ToolDetail,
  type ToolSummary,
  ToolListing,
} from './tool-listing';
export {
  AgentHealth,
  type AgentHealthState,
  type AgentPartHealth,
  type HealthStatus,
} from './agent.health';
export { AgentService } from './agent.service';
export { type SessionDetail, SessionService, type SessionSummary } from './session.service';
export {
  UsageService,
  type UsageTotals,
  type UsageGroup,
  type UsageTotalsQuery,
} from './usage.service';
export type { DeliveredResult } from './delivered-result.interface';
