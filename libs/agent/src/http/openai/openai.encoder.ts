import type { AgentEvent, PendingAction, Usage } from '../../message';
import type { ChatResult } from '../../run';
import { runFailed } from '../errors';
import { isShownFlat, type RunEncoder, wordedEnd } from '../sse';
import { openAiFailureOf } from './openai-error';

/** Why an answer ended, in OpenAI's protocol. */
type OpenAiFinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

interface EncoderOptions {
  readonly runId: string;
  /** The client's name of the model. */
  readonly model: string;
  /** Whether the answer must be JSON, and so is the last step's text alone. */
  readonly isJson: boolean;
  /** Whether the stream ends with a chunk that counts tokens. */
  readonly includesUsage: boolean;
  /** Seconds since the epoch. */
  readonly created: number;
  /** The client's own name of one of its tools. */
  readonly clientNameOf: (name: string) => string;
}

/**
 * A run in OpenAI's protocol: text as it arrives, the client's own calls at the end. Calls of
 * server-side tools are not shown. @see https://platform.openai.com/docs/api-reference/chat
 */
export class OpenAiEncoder implements RunEncoder {
  private text = '';
  private startsNewStep = false;

  constructor(private readonly options: EncoderOptions) {}

  open(): string {
    return this.frame({ role: 'assistant', content: '', refusal: null });
  }

  /** Several steps form one answer. */
  encode(event: AgentEvent): string {
    if (!isShownFlat(event)) return '';
    const content = this.textOf(event);
    return content === '' ? '' : this.frame({ content });
  }

  close(result: ChatResult): string {
    const done = 'data: [DONE]\n\n';
    if (result.status === 'failed') return frameOf(openAiFailureOf(runFailed(result)).body) + done;
    const calls = this.callsOf(result.pendingActions);
    const counted = { ...this.envelope('chat.completion.chunk'), choices: [] };
    return [
      ...calls.map((call, index) => this.frame({ tool_calls: [{ index, ...call }] })),
      this.frame({}, finishReasonOf(result, calls.length)),
      this.options.includesUsage ? frameOf({ ...counted, usage: usageOf(result.usage) }) : '',
      done,
    ].join('');
  }

  /** The whole answer, if it is not streamed; `encode` has received every event before. */
  whole(result: ChatResult): object {
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

  private textOf(event: AgentEvent): string {
    if (this.options.isJson) {
      return event.type === 'run.finished' ? this.append(event.message) : '';
    }
    switch (event.type) {
      case 'step.finished':
        this.startsNewStep = this.text !== '';
        return '';
      case 'text.delta':
        return this.append(event.delta);
      case 'run.finished':
        return this.append(wordedEnd(event, this.text));
      default:
        return '';
    }
  }

  private append(text: string): string {
    if (text === '') return '';
    const piece = this.startsNewStep ? `\n\n${text}` : text;
    this.startsNewStep = false;
    this.text += piece;
    return piece;
  }

  private frame(delta: object, finish_reason: OpenAiFinishReason | null = null): string {
    return frameOf({
      ...this.envelope('chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(this.options.includesUsage && { usage: null }),
    });
  }

  private envelope(object: string): object {
    const { runId, created, model } = this.options;
    return { id: `chatcmpl-${runId}`, object, created, model, system_fingerprint: null };
  }

  private callsOf(actions: readonly PendingAction[]): readonly object[] {
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

function frameOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
