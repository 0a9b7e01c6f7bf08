import type {
  CallOutcome,
  PendingAction,
  ResultContent,
  RunStatus,
  StopReason,
  Usage,
} from '../../message';
import type { ChatResult, RunFailure, ToolCallSummary } from '../../run';
import { DocumentedAs, DocumentedField } from './documented.decorator';
import { JSON_OBJECT } from './field-schemas';

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

@DocumentedAs('AgentUsage')
class UsageDto implements Usage {
  @DocumentedField('Tokens that the model read', { type: Number })
  readonly inputTokens!: number;

  @DocumentedField('Tokens that the model wrote', { type: Number })
  readonly outputTokens!: number;

  @DocumentedField('Both', { type: Number })
  readonly totalTokens!: number;

  @DocumentedField('Tokens read from the cache of the provider', { type: Number })
  readonly cachedInputTokens!: number;

  @DocumentedField('Tokens written to the cache of the provider', { type: Number })
  readonly cacheWriteTokens!: number;

  @DocumentedField('Tokens that were thoughts', { type: Number })
  readonly reasoningTokens!: number;
}

@DocumentedAs('AgentToolCall')
class ToolCallDto implements ToolCallSummary {
  @DocumentedField("The call's id", { type: String })
  readonly id!: string;

  @DocumentedField("The tool's name", { type: String })
  readonly name!: string;

  @DocumentedField('The arguments', JSON_OBJECT)
  readonly input!: ToolCallSummary['input'];

  @DocumentedField('The content for the model; missing while the call is open', {
    oneOf: [{ type: 'string' }, CONTENT_BLOCKS],
    required: false,
  })
  readonly output?: ResultContent;

  @DocumentedField('Whether the output is an error message', { type: Boolean })
  readonly isError!: boolean;

  @DocumentedField('Milliseconds that the tool ran', { type: Number })
  readonly durationMs!: number;
}

@DocumentedAs('AgentPendingAction')
class PendingActionDto implements PendingAction {
  @DocumentedField('The kind: an approval, a result from the browser, or an answer from outside', {
    type: String,
    enum: ACTION_TYPES,
  })
  readonly type!: PendingAction['type'];

  @DocumentedField('The pending call', { type: String })
  readonly callId!: string;

  @DocumentedField("The tool's name", { type: String })
  readonly name!: string;

  @DocumentedField('The arguments', JSON_OBJECT)
  readonly input!: PendingAction['input'];

  @DocumentedField('When it expires', { type: String, format: 'date-time' })
  readonly expiresAt!: string;
}

@DocumentedAs('AgentRunFailure')
class RunFailureDto implements RunFailure {
  @DocumentedField('Stable, for programs to read', { type: String })
  readonly code!: string;

  @DocumentedField('The error message', { type: String })
  readonly message!: string;

  @DocumentedField('The matching HTTP status', { type: Number })
  readonly httpStatus!: number;

  @DocumentedField('Milliseconds after which a retry may succeed', {
    type: Number,
    required: false,
  })
  readonly retryAfterMs?: number;
}

/** The result of a run, or its state so far. */
@DocumentedAs('AgentChatResult')
export class ChatResultDto implements ChatResult {
  @DocumentedField('The session', { type: String })
  readonly sessionId!: string;

  @DocumentedField('The run', { type: String })
  readonly runId!: string;

  @DocumentedField("The run's status", { type: String, enum: RUN_STATUSES })
  readonly status!: RunStatus;

  @DocumentedField('The text of the last message of the assistant', { type: String })
  readonly message!: string;

  @DocumentedField('Why the run stopped; missing while it runs', {
    type: String,
    enum: STOP_REASONS,
    required: false,
  })
  readonly stopReason?: StopReason;

  @DocumentedField('Its calls so far, in order', { type: [ToolCallDto] })
  readonly toolCalls!: readonly ToolCallDto[];

  @DocumentedField('Its pending actions', { type: [PendingActionDto] })
  readonly pendingActions!: readonly PendingActionDto[];

  @DocumentedField('The tokens of all its model calls', { type: UsageDto })
  readonly usage!: UsageDto;

  @DocumentedField('The total tokens of its usage', { type: Number })
  readonly tokensUsed!: number;

  @DocumentedField('The time of this answer', { type: String, format: 'date-time' })
  readonly timestamp!: string;

  @DocumentedField('The error of a failed run', { type: RunFailureDto, required: false })
  readonly error?: RunFailureDto;
}
