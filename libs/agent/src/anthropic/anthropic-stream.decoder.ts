import { countedUsage, type FinishReason, type Usage } from '../message';
import { ModelError, type ModelEvent } from '../model';
import {
  toModelError,
  ToolCallAssembler,
  type AnswerDecoder,
  type AssemblerOptions,
} from '../model/stream';
import type { AnthropicBlock, AnthropicEvent, AnthropicUsage } from './anthropic-event';
import { thoughtData, type AnthropicThought } from './anthropic-messages';

const COUNTS = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

/** Turns the events of one Messages answer into ours. */
export class AnthropicStreamDecoder implements AnswerDecoder {
  isOver = false;
  private readonly calls: ToolCallAssembler;
  private readonly usage: { [Name in (typeof COUNTS)[number]]?: number } = {};
  private stopReason: string | undefined;

  constructor(private readonly options: AssemblerOptions & { readonly modelName: string }) {
    this.calls = new ToolCallAssembler(options);
  }

  get isFinished(): boolean {
    return this.stopReason !== undefined;
  }

  add(data: string): readonly ModelEvent[] {
    const event = this.parse(data);
    const error = errorIn(event);
    if (error !== undefined) throw toModelError(error, this.options.modelName);
    switch (event.type) {
      case 'message_start':
        if (typeof event.message === 'object') this.addUsage(event.message?.usage);
        return [];
      case 'content_block_start':
        return this.beginBlock(event.index, event.content_block);
      case 'content_block_delta':
        return this.addDelta(event);
      case 'message_delta':
        this.addUsage(event.usage);
        this.stopReason = event.delta?.stop_reason ?? this.stopReason;
        return [];
      case 'message_stop':
        this.isOver = true;
        return [];
      case 'message':
        this.addUsage(event.usage);
        this.stopReason = event.stop_reason ?? undefined;
        return (event.content ?? []).flatMap((block, index) => this.beginBlock(index, block));
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
    const usage = this.total();
    return [...this.calls.finish(isCut), { type: 'finish', reason, ...(usage && { usage }) }];
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

  private beginBlock(
    index: number | undefined,
    block: AnthropicBlock | null | undefined,
  ): readonly ModelEvent[] {
    switch (block?.type) {
      case 'tool_use': {
        const { id, name, input } = block;
        return this.calls.add(index, { id, name, arguments: input, isFirst: true });
      }
      case 'text':
        return nonEmpty('text.delta', block.text);
      case 'thinking':
        return [...nonEmpty('reasoning.delta', block.thinking), ...signed(block.signature)];
      case 'redacted_thinking':
        return [ended({ redacted: textIn(block.data) })];
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
        return [ended({ signature: textIn(delta.signature) })];
      case 'input_json_delta':
        return this.calls.add(index, { arguments: delta.partial_json });
      default:
        return [];
    }
  }

  /** Later counts replace earlier ones: each is a total so far. */
  private addUsage(usage: AnthropicUsage | null | undefined): void {
    for (const name of COUNTS) {
      const count = usage?.[name];
      if (typeof count === 'number') this.usage[name] = count;
    }
  }

  /** What was read from or written to the cache is input too. */
  private total(): Usage | undefined {
    const { input_tokens, output_tokens, ...cached } = this.usage;
    const inputs = [input_tokens, ...Object.values(cached)].map((count) => count ?? 0);
    const isCounted = typeof input_tokens === 'number' && Math.min(...inputs) >= 0;
    const inputTokens = isCounted ? inputs.reduce((sum, count) => sum + count) : undefined;
    return countedUsage({
      inputTokens,
      outputTokens: output_tokens,
      cachedInputTokens: cached.cache_read_input_tokens,
      cacheWriteTokens: cached.cache_creation_input_tokens,
    });
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

function nonEmpty(type: 'text.delta' | 'reasoning.delta', piece: unknown): readonly ModelEvent[] {
  const delta = textIn(piece);
  return delta === '' ? [] : [{ type, delta }];
}

/** A block begins without its signature where it is streamed. */
function signed(value: unknown): readonly ModelEvent[] {
  const signature = textIn(value);
  return signature === '' ? [] : [ended({ signature })];
}

function ended(thought: AnthropicThought): ModelEvent {
  return { type: 'reasoning.end', providerData: thoughtData(thought) };
}

/** What an event says went wrong; gateways leave Anthropic's `type` out, or the `error` around it. */
function errorIn(event: AnthropicEvent): unknown {
  if (event.error) return event.error;
  return event.type === 'error' || typeof event.message === 'string' ? event : undefined;
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
