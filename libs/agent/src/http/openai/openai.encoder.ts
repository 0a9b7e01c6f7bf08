import type { AgentEvent, PendingAction, StopReason, Usage } from '../../message';
import type { ChatResult } from '../../run';

/** Why OpenAI's protocol says an answer ended. */
export type OpenAiFinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

export interface EncoderOptions {
  readonly runId: string;
  /** The model as the client named it. */
  readonly model: string;
  /** Whether the answer has to be JSON, and so the last step's text alone. */
  readonly isJson: boolean;
  /** Whether a stream ends with a chunk that counts tokens. */
  readonly includesUsage: boolean;
  /** Seconds since the epoch. */
  readonly created: number;
  /** The client's own name of a tool of its own. */
  readonly clientNameOf: (name: string) => string;
}

interface OpenAiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Ends that a run words itself, which no model has said. */
const WORDED_ENDS: ReadonlySet<StopReason> = new Set(['max_steps', 'budget', 'loop']);

/**
 * A run in OpenAI's protocol: text as it comes, the client's own calls at the end. What the server's
 * tools do stays inside. @see https://platform.openai.com/docs/api-reference/chat
 */
export class OpenAiEncoder {
  private text = '';
  private startsNewStep = false;

  constructor(private readonly options: EncoderOptions) {}

  /** The piece of text that an event adds, so that several steps read as one answer. */
  textOf(event: AgentEvent): string {
    if (this.options.isJson) {
      return event.type === 'run.finished' ? this.append(event.message) : '';
    }
    switch (event.type) {
      case 'step.finished':
        this.startsNewStep = this.text !== '';
        return '';
      case 'text.delta':
        return this.append(event.delta);
      case 'run.finished': {
        const isWorded = WORDED_ENDS.has(event.stopReason) && !this.text.endsWith(event.message);
        return isWorded ? this.append(event.message) : '';
      }
      default:
        return '';
    }
  }

  /** The chunk that opens a stream. */
  opening(): object {
    return this.chunk({ role: 'assistant', content: '', refusal: null });
  }

  textChunk(content: string): object {
    return this.chunk({ content });
  }

  /** The chunks that close a stream. */
  closing(result: ChatResult): readonly object[] {
    const calls = this.callsOf(result.pendingActions);
    const counted = this.options.includesUsage
      ? [{ ...this.envelope('chat.completion.chunk'), choices: [], usage: usageOf(result.usage) }]
      : [];
    return [
      ...calls.map((call, index) => this.chunk({ tool_calls: [{ index, ...call }] })),
      this.chunk({}, finishReasonOf(result, calls.length)),
      ...counted,
    ];
  }

  /** The whole answer, where it is not streamed; `textOf` has seen every event before. */
  completion(result: ChatResult): object {
    const calls = this.callsOf(result.pendingActions);
    const message = {
      role: 'assistant',
      content: this.text === '' && calls.length > 0 ? null : this.text,
      refusal: null,
      annotations: [],
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    const finish_reason = finishReasonOf(result, calls.length);
    return {
      ...this.envelope('chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage: usageOf(result.usage),
    };
  }

  private append(text: string): string {
    const piece = this.startsNewStep ? `\n\n${text}` : text;
    this.startsNewStep = false;
    this.text += piece;
    return piece;
  }

  private chunk(delta: object, finish_reason: OpenAiFinishReason | null = null): object {
    return {
      ...this.envelope('chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(this.options.includesUsage && { usage: null }),
    };
  }

  private envelope(object: string): object {
    const { runId, created, model } = this.options;
    return { id: `chatcmpl-${runId}`, object, created, model, system_fingerprint: null };
  }

  private callsOf(actions: readonly PendingAction[]): readonly OpenAiToolCall[] {
    return actions
      .filter(({ type }) => type === 'frontend')
      .map(({ callId, name, input }) => ({
        id: callId,
        type: 'function',
        function: { name: this.options.clientNameOf(name), arguments: JSON.stringify(input) },
      }));
  }
}

function finishReasonOf({ stopReason }: ChatResult, calls: number): OpenAiFinishReason {
  if (calls > 0) return 'tool_calls';
  if (stopReason === 'max_tokens' || stopReason === 'budget') return 'length';
  return stopReason === 'refusal' ? 'content_filter' : 'stop';
}

function usageOf(usage: Usage): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
