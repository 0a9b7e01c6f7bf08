import { isJsonObject, type FinishReason, type Usage } from '../../../message';
import type { ObservedResponse } from '../../../telemetry';
import type { ModelEvent } from '../../chat-model';
import { ModelError, type ModelErrorCode } from '../../model-error';
import {
  cutOff,
  eventIn,
  finishEvent,
  isCut,
  isRefusal,
  responseOf,
  textIn,
  toModelError,
  withUpstreamWords,
  type AnswerDecoder,
} from '../../stream';
import { ToolCallAssembler, type AssemblerOptions } from '../../tool-calls';
import type { OpenAiChoice, OpenAiChunk, OpenAiContentPart, OpenAiDelta } from './openai-chunk';
import { OpenAiExecutedTools } from './openai-executed-tools';
import { failedCall } from './openai-failed-call';
import { OpenAiPictures } from './openai-pictures';
import { OpenAiSentContent } from './openai-sent-content';
import { OpenAiSources } from './openai-sources';
import { extraIn, OpenAiTextExtra } from '../openai-text-extra';
import { OpenAiThoughts, thoughtIn } from './openai-thoughts';
import { openAiUsage } from './openai-usage';
import { ThinkTagSplitter, type ThoughtOrText } from './think-tags';

interface DecoderOptions extends AssemblerOptions {
  readonly modelName: string;
  /** The answering service, see `ProviderData`. */
  readonly provider: string;
  readonly thinkTags?: boolean | undefined;
  /** Whether, according to an error, the request may succeed in another form. */
  readonly learns?: (error: unknown) => boolean;
}

/**
 * Google's reasons for an answer without its call: the model wrote something else than a call. The
 * same request often passes.
 *
 * @see https://ai.google.dev/api/generate-content#FinishReason
 */
const UNREADABLE_CALL = /^(malformed_function_call|malformed_response|unexpected_tool_call)$/;

/** Converts the chunks of one answer to events. Pure state, without access to the connection. */
export class OpenAiStreamDecoder implements AnswerDecoder {
  isOver = false;
  private readonly calls: ToolCallAssembler;
  private readonly tags: ThinkTagSplitter | undefined;
  private readonly thoughts: OpenAiThoughts;
  private readonly textExtra: OpenAiTextExtra;
  private readonly sources = new OpenAiSources();
  private readonly executed = new OpenAiExecutedTools();
  private readonly pictures = new OpenAiPictures();
  private readonly said = new OpenAiSentContent();
  private finishReason: string | undefined;
  private usage: Usage | undefined;
  private chunk: OpenAiChunk = {};
  private wasRefused = false;
  /** The index of the answer to read if there are several: the first. */
  private choice: number | undefined;
  private hasContent = false;
  /** The thought in a field of the delta that is being read. */
  private thoughtBeside: string | undefined;
  /** Whether the answer has ended, with or without a reason from the service. */
  private isWhole = false;

  constructor(private readonly options: DecoderOptions) {
    this.calls = new ToolCallAssembler(options);
    this.tags = options.thinkTags === false ? undefined : new ThinkTagSplitter();
    this.thoughts = new OpenAiThoughts(options.provider);
    this.textExtra = new OpenAiTextExtra(options.provider);
  }

  get isFinished(): boolean {
    return this.finishReason !== undefined || (this.isWhole && this.hasContent);
  }

  get response(): ObservedResponse {
    return responseOf(this.chunk.id, this.chunk.model, this.finishReason);
  }

  add(data: string): readonly ModelEvent[] {
    this.isOver = data.trim() === '[DONE]';
    this.isWhole ||= this.isOver;
    if (this.isOver) return [];
    const chunk = eventIn<OpenAiChunk>(data, this.options.modelName);
    const error = errorIn(chunk);
    if (error !== undefined) return this.addError(error);
    const choice = this.choiceOf(chunk);
    if (choice) this.chunk = chunk;
    this.usage = openAiUsage(chunk.usage ?? choice?.usage) ?? this.usage;
    this.sources.read(chunk);
    return choice === undefined ? [] : this.textExtra.placed(this.addChoice(choice, chunk));
  }

  finish(): readonly ModelEvent[] {
    if (!this.isFinished) throw cutOff(this.options.modelName);
    const hasCalls = !this.calls.isEmpty;
    const reason = this.reasonOf(this.finishReason, hasCalls);
    const rest: ModelEvent[] = [];
    this.addPieces(this.tags?.finish() ?? [], rest);
    return this.textExtra.placed([
      ...rest,
      ...this.thoughts.finish(),
      ...this.executed.finish(),
      ...this.sources.finish(),
      ...this.calls.finish(this.finishReason === undefined || isCut(reason)),
      finishEvent(reason, this.usage),
    ]);
  }

  salvage(): readonly ModelEvent[] {
    return [...(this.tags?.finish() ?? []), ...this.executed.finish(), ...this.calls.finish(true)];
  }

  /** An error may concern the model's own output, which then ends the answer. */
  private addError(error: unknown): readonly ModelEvent[] {
    const { modelName, offeredNames } = this.options;
    const call = failedCall(error, offeredNames);
    if (call === undefined && !isRefusal(error)) {
      const detailed = withUpstreamWords(error);
      const isLearned = this.options.learns?.(detailed) === true;
      throw isLearned ? brokenOff(modelName, detailed) : toModelError(detailed, modelName);
    }
    this.finishReason = call ? 'tool_calls' : 'content_filter';
    this.isOver = true;
    return call ? this.calls.add(undefined, { ...call, isFirst: true }) : [];
  }

  /** Several answers may come at once, or one after the other. */
  private choiceOf({ choices }: OpenAiChunk): OpenAiChoice | undefined {
    const [first] = choices ?? [];
    if (first === undefined) return undefined;
    this.choice ??= first.index ?? 0;
    return choices?.find(({ index }) => (index ?? 0) === this.choice);
  }

  private addChoice(choice: OpenAiChoice, chunk: OpenAiChunk): readonly ModelEvent[] {
    const events: ModelEvent[] = [];
    const delta = inWords(this.saidIn(choice));
    // A whole message is the complete answer.
    if (!choice.delta && choice.message) this.isWhole = true;
    if (delta) {
      this.addExecuted(this.executed.read(chunk.id, delta), events);
      this.addDelta(delta, events);
      this.addExecuted(this.pictures.read(chunk.id, delta), events);
      this.sources.readDelta(delta);
      this.said.note(delta, events);
    }
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      // Google's own reasons are in capitals, some of them behind the name of a filter.
      this.finishReason = choice.finish_reason.toLowerCase().replace(/^\w+: /, '');
      this.throwIfBroken(this.finishReason, textIn(choice.native_finish_reason).toLowerCase());
    }
    return events;
  }

  /**
   * Perplexity repeats the whole text so far beside each delta. A first delta may be empty: then
   * the text is there only. MiniMax repeats the whole answer after the last delta.
   */
  private saidIn({ delta, message }: OpenAiChoice): OpenAiDelta | null | undefined {
    const isMessage = message && (!delta || (!this.hasContent && isEmptyDelta(delta)));
    return isMessage ? this.said.missingIn(message) : delta;
  }

  private addDelta(delta: OpenAiDelta, events: ModelEvent[]): void {
    const isSilent = isEmptyDelta(delta);
    this.hasContent ||= !isSilent;
    this.thoughtBeside = thoughtIn(delta);
    this.thoughts.read(delta, events);
    const extra = extraIn(delta);
    if (extra && !this.textExtra.keep(extra, delta, isSilent)) this.thoughts.keepExtra(extra);
    if (typeof delta.content === 'string') this.addText(delta.content, events);
    else if (Array.isArray(delta.content)) {
      for (const part of delta.content as readonly OpenAiContentPart[]) this.addPart(part, events);
    }
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.wasRefused = true;
      this.thoughts.close(events);
      events.push({ type: 'text.delta', delta: delta.refusal });
    }
    for (const { index, id, function: called, custom, extra_content } of delta.tool_calls ?? []) {
      const own = isJsonObject(extra_content) ? { extra_content } : undefined;
      this.thoughts.close(events);
      events.push(
        ...this.calls.add(index ?? undefined, {
          id,
          name: called?.name ?? custom?.name,
          arguments: called?.arguments ?? custom?.input,
          ...(own && { providerData: { [this.options.provider]: own } }),
        }),
      );
    }
  }

  private addExecuted(tools: readonly ModelEvent[], events: ModelEvent[]): void {
    if (tools.length > 0) this.thoughts.close(events);
    events.push(...tools);
  }

  private addText(text: string, events: ModelEvent[]): void {
    if (text === '') return;
    this.addPieces(this.tags?.add(text) ?? [{ type: 'text.delta', delta: text }], events);
  }

  private addPieces(pieces: readonly ThoughtOrText[], events: ModelEvent[]): void {
    for (const piece of pieces) {
      if (piece.type === 'text.delta') this.thoughts.close(events);
      else if (this.isThoughtBeside(piece.delta)) continue;
      events.push(piece);
    }
  }

  /**
   * Whether a thought between tags is in its field, too: MiniMax sends it both ways at once. Beside
   * other thoughts, tags are of an answer about tags.
   */
  private isThoughtBeside(piece: string): boolean {
    const { isWhole, thoughtBeside } = this;
    // The pieces of a stream need not be cut at the same places.
    return thoughtBeside !== undefined && (!isWhole || thoughtBeside.includes(piece.trim()));
  }

  private addPart(part: OpenAiContentPart, events: ModelEvent[]): void {
    if (typeof part.text === 'string') this.addText(part.text, events);
    this.thoughts.readPart(part, events);
  }

  /** Throws for finish reasons that report a failure of the service, not of the model. */
  private throwIfBroken(reason: string, native: string): void {
    const name = this.options.modelName;
    if (UNREADABLE_CALL.test(reason) || UNREADABLE_CALL.test(native)) {
      const said = `The model ${name} wrote a tool call that its provider could not read. Try again.`;
      throw new ModelError('model_unavailable', said);
    }
    if (!/^(error|network_error|insufficient_system_resource|abort|cancelled)$/.test(reason))
      return;
    const code =
      reason === 'insufficient_system_resource' ? 'model_overloaded' : 'model_unavailable';
    throw brokenOff(name, undefined, code);
  }

  private reasonOf(reason: string | undefined, hasCalls: boolean): FinishReason {
    switch (reason) {
      case 'length':
      case 'max_tokens':
      case 'model_length':
      case 'model_context_window_exceeded':
        return 'max_tokens';
      case 'content_filter':
      case 'sensitive':
      case 'refusal':
      case 'safety':
      case 'image_safety':
      case 'image_prohibited_content':
      case 'recitation':
      case 'image_recitation':
      case 'blocklist':
      case 'prohibited_content':
      case 'spii':
        return 'refusal';
      // A call in a form that requests never ask for.
      case 'function_call':
        return 'tool_use';
      default:
        // Many services say `stop` although they call tools, some the other way round.
        if (hasCalls) return 'tool_use';
        return this.wasRefused ? 'refusal' : 'end_turn';
    }
  }
}

function brokenOff(
  modelName: string,
  cause: unknown,
  code: ModelErrorCode = 'model_unavailable',
): ModelError {
  const said = `The provider of the model ${modelName} broke its answer off.`;
  return new ModelError(code, said, { cause });
}

/** The error in a chunk: in a field of its own, of its choice, or instead of any answer. */
function errorIn(chunk: OpenAiChunk): unknown {
  const { error, choices, object, message, msg, base_resp: state, x_groq: groq } = chunk;
  if (error) return error;
  if (choices?.[0]?.error) return choices?.[0]?.error;
  if (groq?.error) return groq.error;
  if (state?.status_code) return { code: String(state.status_code), message: state.status_msg };
  const details = chunk.detail ?? chunk.errors?.[0] ?? undefined;
  const isError =
    object === 'error' || typeof (message ?? msg) === 'string' || details !== undefined;
  return isError && choices === undefined ? chunk : undefined;
}

/** A delta of Cloudflare's Workers AI, which sends a piece such as `6` or `true` as that value. */
function inWords(delta: OpenAiDelta | null | undefined): OpenAiDelta | null | undefined {
  const content: unknown = delta?.content;
  const isValue = typeof content === 'number' || typeof content === 'boolean';
  return isValue ? { ...delta, content: String(content) } : delta;
}

function isEmptyDelta(delta: OpenAiDelta): boolean {
  const { content, refusal, tool_calls: calls, images } = delta;
  return ![content, refusal, calls, images, thoughtIn(delta)].some(hasLength);
}

function hasLength(field: { readonly length: number } | string | null | undefined): boolean {
  return field !== undefined && field !== null && field.length > 0;
}
