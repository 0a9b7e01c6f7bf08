import type { CallOutcome, PendingAction, RunStatus, StopReason, Usage } from '../../message';
import type { ChatResult, RunFailure, ToolCallSummary } from '../../run';
import { documentedDto } from './documented.decorator';
import { JSON_OBJECT, optional, TIME } from './field-schemas';

export const RUN_STATUSES: readonly RunStatus[] = [
  'queued',
  'running',
  'completed',
  'requires_action',
  'cancelled',
  'failed',
];
export const CALL_OUTCOMES: readonly CallOutcome[] = [
  'ok',
  'error',
  'declined',
  'expired',
  'interrupted',
];
const STOP_REASONS: readonly StopReason[] = [
  'end_turn',
  'max_tokens',
  'refusal',
  'max_steps',
  'budget',
  'loop',
  'requires_action',
  'cancelled',
  'error',
];
const ACTION_TYPES: readonly PendingAction['type'][] = ['approval', 'frontend', 'external'];

/** Blocks of a message or a result; providers' blocks may have more fields. */
export const CONTENT_BLOCKS = {
  type: 'array' as const,
  items: {
    type: 'object',
    properties: { type: { type: 'string' } },
    required: ['type'],
    additionalProperties: true,
  },
};

const UsageDto = documentedDto<Usage>('AgentUsage', {
  inputTokens: ['Tokens that the model read', { type: Number }],
  outputTokens: ['Tokens that the model wrote', { type: Number }],
  totalTokens: ['Both', { type: Number }],
  cachedInputTokens: ['Tokens read from the cache of the provider', { type: Number }],
  cacheWriteTokens: ['Tokens written to the cache of the provider', { type: Number }],
  reasoningTokens: ['Tokens that were thoughts', { type: Number }],
});

const ToolCallDto = documentedDto<ToolCallSummary>('AgentToolCall', {
  id: ["The call's id"],
  name: ["The tool's name"],
  input: ['The arguments', JSON_OBJECT],
  output: [
    'The content for the model; missing while the call is open',
    optional({ oneOf: [{ type: 'string' }, CONTENT_BLOCKS] }),
  ],
  isError: ['Whether the output is an error message', { type: Boolean }],
  durationMs: ['Milliseconds that the tool ran', { type: Number }],
});

const PendingActionDto = documentedDto<PendingAction>('AgentPendingAction', {
  type: [
    'The kind: an approval, a result from the browser, or an answer from outside',
    { type: String, enum: ACTION_TYPES },
  ],
  callId: ['The pending call'],
  name: ["The tool's name"],
  input: ['The arguments', JSON_OBJECT],
  expiresAt: ['When it expires', TIME],
});

const RunFailureDto = documentedDto<RunFailure>('AgentRunFailure', {
  code: ['Stable, for programs to read'],
  message: ['The error message'],
  httpStatus: ['The matching HTTP status', { type: Number }],
  retryAfterMs: ['Milliseconds after which a retry may succeed', optional({ type: Number })],
});

/** The result of a run, or its state so far. */
export const ChatResultDto = documentedDto<ChatResult>('AgentChatResult', {
  sessionId: ['The session'],
  runId: ['The run'],
  status: ["The run's status", { type: String, enum: RUN_STATUSES }],
  message: ['The text of the last message of the assistant'],
  stopReason: [
    'Why the run stopped; missing while it runs',
    optional({ type: String, enum: STOP_REASONS }),
  ],
  toolCalls: ['Its calls so far, in order', { type: [ToolCallDto] }],
  pendingActions: ['Its pending actions', { type: [PendingActionDto] }],
  usage: ['The tokens of all its model calls', { type: UsageDto }],
  tokensUsed: ['The total tokens of its usage', { type: Number }],
  timestamp: ['The time of this answer', TIME],
  error: ['The error of a failed run', optional({ type: RunFailureDto })],
});
