import { isJsonObject, type FinishReason } from '../../message';
import {
  type AnswerDecoder,
  cutOff,
  eventIn,
  finishEvent,
  isCut,
  isRefusal,
  responseOf,
  textIn,
  toModelError,
} from '../../model/stream';
import { type AssemblerOptions, ToolCallAssembler } from '../../model/tool-calls';
import type { ModelEvent } from '../../model';
import type { ObservedResponse } from '../../telemetry';
import { blockOf, kindOfBlock, OpenBlock, type WholeBlock } from './anthropic-block';
import type { AnthropicBlock, AnthropicEvent, AnthropicMessageStart } from './anthropic-event';
import { providerData, type CallData } from './anthropic-provider-data';
import { ProviderTools } from './anthropic-provider-tools';
import { citationsOf, sourcesIn } from './anthropic-sources';
import { UsageCounter } from './anthropic-usage';

interface AnthropicDecoderOptions extends AssemblerOptions {
  readonly modelName: string;
  /** The ids of the answers that this one continues. */
  readonly heardIds?: ReadonlySet<string>;
}

/** Converts the events of one Messages answer to model events. */
export class AnthropicStreamDecoder implements AnswerDecoder {
  isOver = false;
  /** The answer's id. */
  id = '';
  /** The container of the provider's own tools, for the requests that continue the answer. */
  container: string | undefined;
  private readonly calls: ToolCallAssembler;
  private readonly callers = new Map<string, WholeBlock['caller']>();
  private readonly providerTools = new ProviderTools();
  private readonly blocks: OpenBlock[] = [];
  private readonly usage = new UsageCounter();
  private hasCalls = false;
  private stopReason: string | undefined;
  private model: unknown;

  constructor(private readonly options: AnthropicDecoderOptions) {
    this.calls = new ToolCallAssembler(options);
  }

  get isFinished(): boolean {
    return this.stopReason !== undefined;
  }

  /**
   * Whether the provider paused, for a tool of its own or after a summary of the conversation; it
   * continues when its answer is sent back.
   */
  get isPaused(): boolean {
    return this.stopReason === 'pause_turn' || this.stopReason === 'compaction';
  }

  /** The blocks of the answer in the form that the API accepts back. */
  get said(): readonly WholeBlock[] {
    return this.blocks
      .map((block) => block.whole())
      .filter(({ type, text, signature }) => {
        if (type === 'text') return textIn(text).trim() !== '';
        return type !== 'thinking' || textIn(signature) !== '';
      });
  }

  get response(): ObservedResponse {
    return responseOf(this.id, this.model, this.stopReason);
  }

  add(data: string): readonly ModelEvent[] {
    const event = eventIn<AnthropicEvent>(data, this.options.modelName);
    const error = errorIn(event);
    if (error !== undefined) return this.fail(error);
    switch (event.type) {
      case 'message_start':
        if (typeof event.message === 'object') this.begin(event.message ?? {});
        return [];
      case 'content_block_start':
        return this.beginBlock(event.index, event.content_block);
      case 'content_block_delta':
        return this.addDelta(event);
      case 'content_block_stop':
        return this.closeBlock(true);
      case 'message_delta':
        this.usage.add(event.usage);
        this.addContainer(event.delta?.container);
        this.stopReason = event.delta?.stop_reason ?? this.stopReason;
        return [];
      case 'message_stop':
        this.isOver = true;
        return [];
      case 'message':
        return this.addMessage(event);
      default:
        return [];
    }
  }

  finish(): readonly ModelEvent[] {
    if (this.stopReason === undefined) throw cutOff(this.options.modelName);
    const reason = this.reasonOf(this.stopReason);
    return [...this.rest(isCut(reason)), finishEvent(reason, this.usage.total())];
  }

  salvage(): readonly ModelEvent[] {
    return this.rest(true);
  }

  private fail(error: unknown): readonly ModelEvent[] {
    if (!isRefusal(error)) throw toModelError(error, this.options.modelName);
    this.stopReason = 'refusal';
    this.isOver = true;
    return [];
  }

  /** The events that need the whole answer. */
  private rest(isBroken: boolean): readonly ModelEvent[] {
    const open = [...this.closeBlock(), ...this.providerTools.flush()];
    return [
      ...open,
      ...sourcesIn(this.blocks.map((block) => block.whole())),
      ...this.finishCalls(isBroken),
    ];
  }

  private addCall(
    ...fragment: Parameters<ToolCallAssembler['add']>
  ): ReturnType<ToolCallAssembler['add']> {
    this.hasCalls = true;
    return this.calls.add(...fragment);
  }

  private finishCalls(isBroken: boolean): readonly ModelEvent[] {
    return this.calls.finish(isBroken).map((event) => this.withData(event));
  }

  private begin({ id, model, usage, container }: AnthropicMessageStart): void {
    this.id = textIn(id);
    this.model = model;
    // A repeated answer continues nothing: a cache between may send the same one again.
    this.isOver = this.options.heardIds?.has(this.id) === true;
    if (this.isOver) {
      this.stopReason = 'end_turn';
      return;
    }
    this.usage.add(usage);
    this.addContainer(container);
  }

  /** Reads a whole message. MiniMax sends one after the stream, which repeats its blocks. */
  private addMessage(event: AnthropicEvent): readonly ModelEvent[] {
    const said = new Set(this.blocks.filter(({ isEmpty }) => !isEmpty).map(({ kind }) => kind));
    if (this.blocks.length > 0) this.usage.add(event.usage);
    else this.begin(event);
    if (this.isOver) return [];
    this.stopReason ??= event.stop_reason ?? undefined;
    return (event.content ?? []).flatMap((block, index) =>
      said.has(kindOfBlock(block?.type)) ? [] : this.beginBlock(index, block),
    );
  }

  private beginBlock(
    index: number | undefined,
    block: AnthropicBlock | null | undefined,
  ): readonly ModelEvent[] {
    const isTextBefore = this.blocks.at(-1)?.kind === 'text';
    const closed = this.closeBlock();
    if (typeof block?.type !== 'string') return closed;
    const begun = new OpenBlock(index, { ...block, type: block.type });
    this.blocks.push(begun);
    const isText = begun.kind === 'text' || begun.kind === 'call';
    const waited = isText ? this.providerTools.flush() : [];
    // Citations belong to one text alone.
    const parted: ModelEvent[] =
      begun.kind === 'text' && isTextBefore ? [{ type: 'text.end' }] : [];
    // A thought between calls keeps its place, which it is signed for; calls before it are whole.
    const called = begun.kind === 'thought' ? this.finishCalls(false) : [];
    return [...closed, ...waited, ...called, ...parted, ...this.opening(index, block)];
  }

  /** The events of a block's beginning. */
  private opening(index: number | undefined, block: AnthropicBlock): readonly ModelEvent[] {
    switch (block.type) {
      case 'tool_use': {
        const { id, name, input, caller } = block;
        if (isJsonObject(caller) && caller['type'] !== 'direct')
          this.callers.set(textIn(id), caller);
        return this.addCall(index, { id, name, arguments: input, isFirst: true });
      }
      case 'text':
        return nonEmpty('text.delta', block.text);
      case 'thinking':
        return nonEmpty('reasoning.delta', block.thinking);
      default:
        return [];
    }
  }

  private addDelta({ index, delta }: AnthropicEvent): readonly ModelEvent[] {
    if (!delta) return [];
    const open = this.blockAt(index, delta.type);
    open?.add(delta);
    switch (delta.type) {
      case 'text_delta':
        return nonEmpty('text.delta', delta.text);
      case 'thinking_delta':
        return nonEmpty('reasoning.delta', delta.thinking);
      case 'input_json_delta':
        if (open !== undefined && open.kind !== 'call') return [];
        return this.addCall(open ? open.index : index, { arguments: delta.partial_json });
      default:
        return [];
    }
  }

  /** The block that a piece belongs to. Some gateways omit the start event of texts. */
  private blockAt(index: number | undefined, delta: string | undefined): OpenBlock | undefined {
    const open = blockOf(this.blocks, index, delta);
    if (open !== undefined && !open.isClosed) return open;
    const type = delta === 'text_delta' ? 'text' : delta === 'thinking_delta' ? 'thinking' : '';
    if (open !== undefined || type === '') return open;
    const begun = new OpenBlock(index, { type });
    this.blocks.push(begun);
    return begun;
  }

  /** Ends the last block, with the events that need it whole. */
  private closeBlock(isStopped = false): readonly ModelEvent[] {
    const open = this.blocks.at(-1);
    if (open) open.isStopped ||= isStopped;
    if (open === undefined || open.isClosed) return [];
    open.isClosed = true;
    const block = open.whole();
    switch (open.kind) {
      case 'thought': {
        if (block.type === 'redacted_thinking') return ended({ redacted: textIn(block['data']) });
        const signature = textIn(block['signature']);
        return signature === '' ? [] : ended({ signature });
      }
      case 'provider_use':
      case 'provider_result':
        return this.providerTools.add(block);
      case 'other':
        return ended({ block });
      case 'text': {
        const citations = citationsOf(block);
        return citations.length === 0
          ? []
          : [{ type: 'text.end', providerData: providerData({ citations }) }];
      }
      case 'call':
        return [];
    }
  }

  private withData(event: ModelEvent): ModelEvent {
    if (event.type !== 'tool_use') return event;
    const caller = this.callers.get(event.id);
    const { container } = this;
    if (caller === undefined && container === undefined) return event;
    const data = { ...(caller && { caller }), ...(container && { container }) } as CallData;
    return { ...event, providerData: { ...event.providerData, ...providerData(data) } };
  }

  private addContainer(container: unknown): void {
    const id = isJsonObject(container) ? textIn(container['id']) : '';
    if (id !== '') this.container = id;
  }

  private reasonOf(reason: string): FinishReason {
    switch (reason) {
      case 'max_tokens':
      case 'model_context_window_exceeded':
        return 'max_tokens';
      case 'refusal':
        return 'refusal';
      default:
        if (!this.hasCalls || (reason === 'end_turn' && this.areCallsAnswered)) {
          return 'end_turn';
        }
        // Some gateways report `end_turn` although the model called tools.
        return 'tool_use';
    }
  }

  /** Whether code in the provider's container made the calls and has since ended. */
  private get areCallsAnswered(): boolean {
    const kinds = this.blocks.map(({ kind }) => kind);
    return kinds.lastIndexOf('provider_result') > kinds.lastIndexOf('call');
  }
}

function nonEmpty(type: 'text.delta' | 'reasoning.delta', piece: unknown): readonly ModelEvent[] {
  const delta = textIn(piece);
  return delta === '' ? [] : [{ type, delta }];
}

function ended(thought: Parameters<typeof providerData>[0]): readonly ModelEvent[] {
  return [{ type: 'reasoning.end', providerData: providerData(thought) }];
}

/** The error in an event; gateways omit Anthropic's `type`, or the `error` around it. */
function errorIn(event: AnthropicEvent): unknown {
  if (event.error) return event.error;
  const { type, message, msg } = event;
  return type === 'error' || typeof (message ?? msg) === 'string' ? event : undefined;
}
