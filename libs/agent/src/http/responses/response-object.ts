import type { StopReason, Usage, RunStatus } from '../../message';
import type { ChatResult } from '../../run';
import { runFailed } from '../errors';
import { openAiFailureOf } from '../openai';
import type { OutputItem } from './output-items';

type ResponseStatus =
  | 'queued'
  | 'in_progress'
  | 'completed'
  | 'incomplete'
  | 'failed'
  | 'cancelled';

interface ResponseFailure {
  readonly code: string;
  readonly message: string;
}

/** How a response ended, or that it goes on. */
export interface ResponseEnd {
  readonly status: ResponseStatus;
  readonly error?: ResponseFailure;
  readonly incomplete?: 'max_output_tokens' | 'content_filter';
}

/** The facts about a response that are the same in all its events. */
export interface ResponseHead {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly model: string;
  /** The session; missing of a stateless response. */
  readonly sessionId?: string;
  /** The fields of its request. */
  readonly repeated: Readonly<Record<string, unknown>>;
}

/** The fields of a request that is not known any more, or did not set them. */
const UNSET = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
} as const;

/** @see https://platform.openai.com/docs/api-reference/responses/object */
export function responseObject(
  { id, createdAt, model, sessionId, repeated }: ResponseHead,
  { status, error, incomplete }: ResponseEnd,
  {
    output,
    usage,
    completedAt,
  }: {
    readonly output: readonly OutputItem[];
    readonly usage?: Usage;
    readonly completedAt?: number;
  },
): object {
  return {
    ...UNSET,
    ...repeated,
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: status === 'completed' ? (completedAt ?? createdAt) : null,
    status,
    error: error ?? null,
    incomplete_details: incomplete === undefined ? null : { reason: incomplete },
    model,
    conversation: sessionId === undefined ? null : { id: sessionId },
    output,
    usage: usage === undefined ? null : usageOf(usage),
  };
}

/** The end of a run, or of its part up to a pending action. */
export function endOf(
  status: RunStatus,
  stopReason: StopReason | undefined,
  error?: ResponseFailure,
): ResponseEnd {
  if (status === 'failed') return { status, ...(error && { error }) };
  if (status === 'cancelled') return { status };
  if (status === 'running') return { status: 'in_progress' };
  if (status === 'queued') return { status };
  if (stopReason === 'max_tokens' || stopReason === 'budget') {
    return { status: 'incomplete', incomplete: 'max_output_tokens' };
  }
  if (stopReason === 'refusal') return { status: 'incomplete', incomplete: 'content_filter' };
  return { status: 'completed' };
}

/** The error of a failed run, as OpenAI's clients expect it. */
export function failureOf(run: ChatResult): ResponseFailure | undefined {
  if (run.status !== 'failed') return undefined;
  const { code, message } = openAiFailureOf(runFailed(run)).body.error;
  return { code: code ?? 'server_error', message };
}

function usageOf(usage: Usage): object {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.totalTokens,
  };
}
