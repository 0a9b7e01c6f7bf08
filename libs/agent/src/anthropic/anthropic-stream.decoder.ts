import type { FinishReason, Usage } from '../message';
import { ModelError, type ModelEvent } from '../model';
import {
  toModelError,
  ToolCallAssembler,
  type AnswerDecoder,
  type AssemblerOptions,
} from '../model/stream';
import type { AnthropicEvent, AnthropicUsage } from './anthropic-event';
import { REDACTED } from './anthropic-messages';

/** Turns the events of one Messages answer into ours. */
export class AnthropicStreamDecoder implements AnswerDecoder {
  private readonly calls: ToolCallAssembler;
  private usage: AnthropicUsage = {};
  private stopReason: string | undefined;

  constructor(private readonly options: AssemblerOptions & { readonly modelName: string }) {
    this.calls = new ToolCallAssembler(options);
  }

  get isFinished(): boolean {
    return this.stopReason !== undefined;
  }

  add(data: string): readonly ModelEvent[] {
    const event = this.parse(data);
    switch (event.type) {
      case 'message_start':
        this.addUsage(event.message?.usage);
        return [];
      case 'content_block_start':
        return this.beginBlock(event);
      case 'content_block_delta':
        return this.addDelta(event);
      case 'message_delta':
        this.addUsage(event.usage);
        this.stopReason = event.delta?.stop_reason ?? this.stopReason;
        return [];
      case 'error':
        throw toModelError(event.error, this.options.modelName);
      default:
        return [];
    }
  }

  finish(): readonly ModelEvent[] {
    if (this.stopReason === undefined) {
      throw new ModelError(
        'model_unavailable',
        `The answer of the model ${this.options.modelName} was cut off.`,
      );
    }
    const reason = this.reasonOf(this.stopReason);
    const isCut = reason === 'max_tokens' || reason === 'refusal';
    return [...this.calls.finish(isCut), { type: 'finish', reason, usage: this.total() }];
  }

  salvage(): readonly ModelEvent[] {
    return this.calls.finish(true);
  }

  private parse(data: string): AnthropicEvent {
    try {
      const event: unknown = JSON.parse(data);
      return typeof event === 'object' && event !== null ? event : {};
    } catch (cause) {
      throw new ModelError(
        'model_unavailable',
        `The model ${this.options.modelName} sent an event that is no JSON.`,
        { cause },
      );
    }
  }

  private beginBlock({ index, content_block: block }: AnthropicEvent): readonly ModelEvent[] {
    switch (block?.type) {
      case 'tool_use': {
        const { id, name, input } = block;
        const hasInput =
          typeof input === 'object' && input !== null && Object.keys(input).length > 0;
        const args = hasInput ? JSON.stringify(input) : '';
        return this.calls.add(index, { id, name, arguments: args });
      }
      case 'text':
        return block.text === undefined || block.text === ''
          ? []
          : [{ type: 'text.delta', delta: block.text }];
      case 'redacted_thinking':
        return [{ type: 'reasoning.signature', signature: `${REDACTED}${block.data ?? ''}` }];
      default:
        return [];
    }
  }

  private addDelta({ index, delta }: AnthropicEvent): readonly ModelEvent[] {
    switch (delta?.type) {
      case 'text_delta':
        return nonEmpty('text.delta', delta.text);
      case 'thinking_delta':
        return nonEmpty('reasoning.delta', delta.thinking);
      case 'signature_delta':
        return [{ type: 'reasoning.signature', signature: delta.signature ?? '' }];
      case 'input_json_delta':
        return this.calls.add(index, { arguments: delta.partial_json });
      default:
        return [];
    }
  }

  /** Later counts replace earlier ones: each is a total so far. */
  private addUsage(usage: AnthropicUsage | null | undefined): void {
    const known = Object.entries(usage ?? {}).filter(([, count]) => typeof count === 'number');
    this.usage = { ...this.usage, ...Object.fromEntries(known) };
  }

  /** What was read from or written to the cache is input too. */
  private total(): Usage {
    const { usage } = this;
    const inputTokens =
      (usage.input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0) +
      (usage.cache_read_input_tokens ?? 0);
    const outputTokens = usage.output_tokens ?? 0;
    return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  }

  private reasonOf(reason: string): FinishReason {
    switch (reason) {
      case 'max_tokens':
      case 'model_context_window_exceeded':
        return 'max_tokens';
      case 'refusal':
        return 'refusal';
      default:
        return this.calls.isEmpty ? 'end_turn' : 'tool_use';
    }
  }
}

function nonEmpty(type: 'text.delta' | 'reasoning.delta', delta = ''): readonly ModelEvent[] {
  return delta === '' ? [] : [{ type, delta }];
}
