import { countedUsage, type FinishReason, type Usage } from '../../message';
import type { ModelEvent } from '../chat-model';
import { ModelError } from '../model-error';
import {
  toModelError,
  ToolCallAssembler,
  type AnswerDecoder,
  type AssemblerOptions,
} from '../stream';
import type {
  OpenAiChoice,
  OpenAiChunk,
  OpenAiContentPart,
  OpenAiDelta,
  OpenAiUsage,
} from './openai-chunk';
import { ThinkTagSplitter } from './think-tags';

export interface DecoderOptions extends AssemblerOptions {
  readonly modelName: string;
  readonly thinkTags?: boolean | undefined;
}

/** Turns the chunks of one answer into events. Pure state: it knows nothing of connections. */
export class OpenAiStreamDecoder implements AnswerDecoder {
  isOver = false;
  private readonly calls: ToolCallAssembler;
  private readonly thoughts: ThinkTagSplitter | undefined;
  private finishReason: string | undefined;
  private usage: Usage | undefined;
  private wasRefused = false;

  constructor(private readonly options: DecoderOptions) {
    this.calls = new ToolCallAssembler(options);
    this.thoughts = options.thinkTags === true ? new ThinkTagSplitter() : undefined;
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined;
  }

  add(data: string): readonly ModelEvent[] {
    this.isOver = data.trim() === '[DONE]';
    if (this.isOver) return [];
    const chunk = this.parse(data);
    const error = errorIn(chunk);
    if (error !== undefined) throw toModelError(error, this.options.modelName);
    const choice = chunk.choices?.[0];
    this.usage = toUsage(chunk.usage ?? choice?.usage) ?? this.usage;
    return choice === undefined ? [] : this.addChoice(choice);
  }

  finish(): readonly ModelEvent[] {
    if (this.finishReason === undefined) {
      throw new ModelError(
        'model_unavailable',
        `The answer of the model ${this.options.modelName} was cut off.`,
      );
    }
    const hasCalls = !this.calls.isEmpty;
    const reason = this.reasonOf(this.finishReason, hasCalls);
    return [
      ...(this.thoughts?.finish() ?? []),
      ...this.calls.finish(reason === 'max_tokens' || reason === 'refusal'),
      { type: 'finish', reason, ...(this.usage === undefined ? {} : { usage: this.usage }) },
    ];
  }

  salvage(): readonly ModelEvent[] {
    return [...(this.thoughts?.finish() ?? []), ...this.calls.finish(true)];
  }

  private parse(data: string): OpenAiChunk {
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch (cause) {
      throw new ModelError(
        'model_unavailable',
        `The model ${this.options.modelName} sent a chunk that is no JSON.`,
        { cause },
      );
    }
    return typeof chunk === 'object' && chunk !== null ? chunk : {};
  }

  private addChoice(choice: OpenAiChoice): readonly ModelEvent[] {
    const events: ModelEvent[] = [];
    const delta = choice.delta ?? choice.message;
    if (delta !== undefined && delta !== null) this.addDelta(delta, events);
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      this.finishReason = choice.finish_reason;
      this.throwIfBroken(choice.finish_reason);
    }
    return events;
  }

  private addDelta(delta: OpenAiDelta, events: ModelEvent[]): void {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === 'string' && reasoning !== '') {
      events.push({ type: 'reasoning.delta', delta: reasoning });
    }
    if (typeof delta.content === 'string') this.addText(delta.content, events);
    else if (Array.isArray(delta.content)) {
      for (const part of delta.content as readonly OpenAiContentPart[]) this.addPart(part, events);
    }
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.wasRefused = true;
      events.push({ type: 'text.delta', delta: delta.refusal });
    }
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      const fragment = { id, name: called?.name, arguments: called?.arguments };
      events.push(...this.calls.add(index ?? undefined, fragment));
    }
  }

  private addText(text: string, events: ModelEvent[]): void {
    if (text === '') return;
    if (this.thoughts === undefined) events.push({ type: 'text.delta', delta: text });
    else events.push(...this.thoughts.add(text));
  }

  private addPart(part: OpenAiContentPart, events: ModelEvent[]): void {
    if (typeof part.text === 'string') this.addText(part.text, events);
    const thinking = part.thinking;
    const thought =
      typeof thinking === 'string'
        ? thinking
        : (thinking ?? []).map(({ text }) => text ?? '').join('');
    if (thought !== '') events.push({ type: 'reasoning.delta', delta: thought });
  }

  /** Reasons by which a service says that it failed, not the model. */
  private throwIfBroken(reason: string): void {
    if (!/^(error|network_error|insufficient_system_resource|abort|cancelled)$/.test(reason))
      return;
    const code =
      reason === 'insufficient_system_resource' ? 'model_overloaded' : 'model_unavailable';
    const name = this.options.modelName;
    throw new ModelError(code, `The provider of the model ${name} broke its answer off.`);
  }

  private reasonOf(reason: string, hasCalls: boolean): FinishReason {
    switch (reason) {
      case 'length':
      case 'max_tokens':
      case 'model_length':
      case 'model_context_window_exceeded':
        return 'max_tokens';
      case 'content_filter':
      case 'sensitive':
      case 'refusal':
        return 'refusal';
      default:
        // Many services say `stop` although they call tools, some the other way round.
        if (hasCalls) return 'tool_use';
        return this.wasRefused ? 'refusal' : 'end_turn';
    }
  }
}

/** What a chunk says went wrong: in a field of its own, of its choice, or instead of any answer. */
function errorIn(chunk: OpenAiChunk): unknown {
  const { error, choices, object, message } = chunk;
  if (error) return error;
  if (choices?.[0]?.error) return choices?.[0]?.error;
  const isError = object === 'error' || typeof message === 'string';
  return isError && choices === undefined ? chunk : undefined;
}

function toUsage(usage: OpenAiUsage | null | undefined): Usage | undefined {
  return countedUsage({
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
    totalTokens: usage?.total_tokens,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
  });
}
