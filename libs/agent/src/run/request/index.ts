// The requests and results of callers: input with its checks, options, results, errors.
export {
  type ChatAction,
  type ChatInput,
  type ChatOptions,
  type ModelOptions,
  type StartOptions,
} from './chat-input';
export { type ChatResult, type RunFailure, type ToolCallSummary } from './chat-result';
export { beforeOf, type RunHandle } from './run-handle';
export { newRunId, newCallId, newSessionId } from './identifiers';
export {
  RUN_OPTIONS,
  RUN_BUS,
  RUN_QUEUE,
  RUN_STORE,
  AGENT_MODEL,
  AGENT_MODELS,
  ASKED_GUARDS,
  type AskedGuards,
  BUDGET_MESSAGE,
  LOOP_MESSAGE,
  MAX_STEPS_MESSAGE,
} from './run.constants';
export {
  type RunBudget,
  type RunOptions,
  type AskableAgent,
  type ShutdownOptions,
  type TokenQuota,
  type CostQuota,
} from './run-options';
export {
  shownMessages,
  toolsOf,
  shownResult,
  type ToolOf,
  isShownPieceByPiece,
} from './shown-calls';
export {
  checkedContent,
  DEFAULT_ATTACHMENTS,
  MAX_NAME_CHARS,
  type AttachmentLimits,
  type UserContent,
  notSeen,
  readable,
} from './attachments';
export { type SystemPrompt, composeSystemPrompt, type PromptContext } from './system-prompt';
export {
  ClaimTooLargeError,
  CredentialsRefusedError,
  QueueFullError,
  QueueTimeoutError,
  WorkersLostError,
  QuotaExceededError,
  ShuttingDownError,
  RunNotFoundError,
  RunNotReplaceableError,
  ActionConflictError,
  InvalidInputError,
  invalidField,
} from './run-errors';
export { chatResultOf, storedResult } from './chat-result.mapper';
export { isExpired, isResolved, matchAnswers, type PendingAnswer } from './pending-answers';
export { checkedMessage, checkInput } from './input-check';
