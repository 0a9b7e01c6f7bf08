// The injectable services of an application: AgentService and SessionService.
export { type CompletionInput, CompletionRunner } from './completion';
export { GenerationError, type GenerateInput, StructuredOutput } from './structured-output';
export {
  type OfferedTool,
  ToolNotFoundError,
  type ToolDetail,
  type ToolSummary,
  ToolListing,
} from './tool-listing';
export { AgentService, type DeliveredResult, type Generated } from './agent.service';
export { type SessionDetail, SessionService, type SessionSummary } from './session.service';
