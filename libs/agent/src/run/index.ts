export * from './agent.service';
export {
  checkedContent,
  DEFAULT_ATTACHMENTS,
  type AttachmentLimits,
  type UserContent,
} from './attachments';
export * from './chat-input';
export * from './chat-result';
export type { CompletionInput } from './completion';
export * from './run-errors';
export { isStoreAway, STORE_AWAY_FAILURE } from './run-failure';
export * from './run-handle';
export * from './run-options';
export type { ResumedRun, ResumeOptions } from './run-resumer';
export * from './run.constants';
export * from './run.providers';
export type { SessionClaim } from './session-access';
export * from './session.service';
export { GenerationError, type GenerateInput } from './structured-output';
export type { PromptContext, SystemPrompt } from './system-prompt';
export { ToolNotFoundError, type ToolDetail, type ToolSummary } from './tool-listing';
