// The injectable services of an application: AgentService, SessionService, UsageService and
// AgentHealth.
export { type CompletionInput, CompletionRunner } from './completion';
export { GenerationError, StructuredOutput } from './structured-output';
export {
  type OfferedTool,
  ToolNotFoundError,
  type ToolDetail,
  type ToolSummary,
  ToolListing,
} from './tool-listing';
export { AgentHealth, type AgentHealthState } from './agent.health';
export { AgentService } from './agent.service';
export { type SessionDetail, SessionService, type SessionSummary } from './session.service';
export { UsageService, type UsageTotals } from './usage.service';
