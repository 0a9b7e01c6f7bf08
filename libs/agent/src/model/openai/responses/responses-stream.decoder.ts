import type { FinishReason, Usage } from '../../../message';
import type { ObservedResponse } from '../../../telemetry';
import type { ModelEvent } from '../../chat-model';
import { OpenAiSources } from '../stream';
import {
  cutOff,
  eventIn,
  finishEvent,
  isRefusal,
  responseOf,
  textIn,
  toModelError,
  type AnswerDecoder,
} from '../../stream';
import { ToolCallAssembler, type AssemblerOptions } from '../../tool-calls';
import {
  extraOf,
  isAnswer,
  objectsIn,
  type ResponsesAnswer,
  type ResponsesEvent,
  type ResponsesItem,
  streamedTypes,
} from './responses-event';
import { begunTool, hostedTool, type ProviderToolEvent } from './responses-hosted';
import { type OpenItem, ResponsesOpenItems } from './responses-open-items';
import type { ResponsesThought } from './responses-thought';
import { responsesUsage } from './responses-usage';

interface ResponsesDecoderOptions extends AssemblerOptions {
  readonly modelName: string;
  /** The answering service, see `ProviderData`. */
  readonly provider: string;
}

/**
 * Converts the events of one response to model events. Pure state, without access to the
 * connection.
 */
export class ResponsesStreamDecoder implements AnswerDecoder {
  isOver = false;
  private readonly calls: ToolCallAssembler;
  private readonly sources = new OpenAiSources();
  private readonly items = new ResponsesOpenItems();
  private openCalls = 0;
  private hasCalls = false;
  private wasRefused = false;
  private reason: FinishReason | undefined;
  private usage: Usage | undefined;
  private answer: ResponsesAnswer = {};

  constructor(private readonly options: ResponsesDecoderOptions) {
    this.calls = new ToolCallAssembler(options);
  }

  get isFinished(): boolean {
    return this.reason !== undefined;
  }

  get response(): ObservedResponse {
    const { id, model, status, incomplete_details: cut } = this.answer;
    return responseOf(id, model, cut?.reason ?? status);
  }

  add(data: string): readonly ModelEvent[] {
    const event = eventIn<ResponsesEvent>(data, this.options.modelName);
    const events: ModelEvent[] = [];
    // A service that does not stream answers with the response itself.
    if (isAnswer(event)) this.addAnswer(event, events);
    else this.addEvent(event, events);
    return events;
  }

  finish(): readonly ModelEvent[] {
    const { reason } = this;
    if (reason === undefined) throw cutOff(this.options.modelName);
    const isWhole = reason === 'end_turn';
    return [
      ...this.begunTools(),
      ...this.sources.finish(),
      ...this.calls.finish(!isWhole),
      finishEvent(isWhole && this.hasCalls ? 'tool_use' : reason, this.usage),
    ];
  }

  salvage(): readonly ModelEvent[] {
    return [...this.begunTools(), ...this.calls.finish(true)];
  }

  /** The provider's tools whose end was not reported. */
  private begunTools(): readonly ProviderToolEvent[] {
    const open = this.items.all.filter(({ isDone }) => !isDone);
    return open.flatMap(({ tool }) => tool ?? []);
  }

  /** A second response after the first. What the first one's tools have begun to do remains. */
  private countAgain(): void {
    const begun = this.begunTools();
    this.items.clear();
    for (const tool of begun) this.items.of({ item_id: tool.id || {} }).tool = tool;
  }

  private addEvent(event: ResponsesEvent, events: ModelEvent[]): void {
    const delta = textIn(event.delta);
    switch (event.type) {
      case 'response.output_text.delta':
        this.addText(event, delta, events);
        break;
      case 'response.refusal.delta':
        this.wasRefused = true;
        this.addText(event, delta, events);
        break;
      case 'response.reasoning_summary_text.delta':
        this.thoughtOf(event).addSummary(delta, event.summary_index, events);
        break;
      case 'response.reasoning_text.delta':
        this.thoughtOf(event).addText(delta, events);
        break;
      case 'response.function_call_arguments.delta':
        this.addArguments(event, delta, events);
        break;
      // Some services send no pieces, or no item at its end.
      case 'response.output_text.done':
        if (!this.items.of(event).text.has(event.content_index)) {
          this.addText(event, textIn(event.text), events);
        }
        break;
      case 'response.function_call_arguments.done': {
        const { hasBegun, hasArguments } = this.items.of(event);
        if (hasBegun && !hasArguments) this.addArguments(event, textIn(event.arguments), events);
        break;
      }
      case 'response.created':
        this.countAgain();
        break;
      case 'response.output_text.annotation.added':
        this.sources.readDelta({ annotations: [event.annotation] });
        break;
      case 'response.output_item.added':
        if (event.item) this.begin(this.items.of(event), event.item, events);
        break;
      case 'response.output_item.done':
        if (event.item) this.end(this.items.of(event), event.item, events);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.addAnswer(event.response ?? {}, events, event.type.slice('response.'.length));
        break;
      default:
        // The type is `error`, or there is none.
        if (event.error) this.fail(event.error);
        else if (event.type === 'error') this.fail(event);
    }
  }

  /** The response at its end. Streamed parts are not read again. */
  private addAnswer(answer: ResponsesAnswer, events: ModelEvent[], ending?: string): void {
    this.answer = answer;
    const status = typeof answer.status === 'string' ? answer.status : ending;
    const output = objectsIn(answer.output);
    const streamed = streamedTypes(this.items.all, output);
    const items = output.flatMap((item, index) => {
      const event = { output_index: index, item_id: item.call_id ?? item.id };
      return this.items.known(event) === undefined && streamed.has(item.type)
        ? []
        : [[this.items.of(event), item] as const];
    });
    if (status === 'failed' || answer.error) {
      // Its tools may have run. The rest may be asked for again.
      for (const [open, item] of items) open.tool ??= begunTool(item);
      this.fail(answer.error ?? {});
      return;
    }
    if (status === 'queued' || status === 'in_progress' || status === 'cancelled') return;
    for (const [open, item] of items) this.end(open, item, events);
    this.usage = responsesUsage(answer.usage) ?? this.usage;
    const why = answer.incomplete_details?.reason;
    if (status === 'incomplete') this.reason = why === 'content_filter' ? 'refusal' : 'max_tokens';
    else this.reason = this.wasRefused && !this.hasCalls ? 'refusal' : 'end_turn';
  }

  private fail(error: unknown): void {
    if (!isRefusal(error)) throw toModelError(error, this.options.modelName);
    this.reason = 'refusal';
    this.isOver = true;
  }

  private thoughtOf(event: ResponsesEvent): ResponsesThought {
    const open = this.items.of(event);
    open.type ||= 'reasoning';
    return open.thought;
  }

  private addText(event: ResponsesEvent, delta: string, events: ModelEvent[]): void {
    if (delta === '') return;
    const open = this.items.of(event);
    open.type = 'message';
    open.text.add(delta, event.content_index);
    events.push({ type: 'text.delta', delta });
  }

  private addArguments(event: ResponsesEvent, piece: string, events: ModelEvent[]): void {
    if (piece === '') return;
    const open = this.items.of(event);
    if (!open.hasBegun && !open.hasArguments) this.openCalls += 1;
    open.hasArguments = true;
    events.push(...this.calls.add(open.index, { arguments: piece }));
  }

  private begin(open: OpenItem, item: ResponsesItem, events: ModelEvent[]): void {
    if (open.hasBegun) return;
    open.hasBegun = true;
    open.type = textIn(item.type);
    open.tool = begunTool(item);
    const { provider } = this.options;
    if (item.type === 'message' && textIn(item.phase) !== '') {
      events.push({
        type: 'reasoning.end',
        providerData: { [provider]: { phase: textIn(item.phase) } },
      });
    }
    if (item.type !== 'function_call') return;
    this.hasCalls = true;
    const extra = extraOf(item);
    // Its pieces may have come before it.
    const isFirst = !open.hasArguments;
    if (isFirst) this.openCalls += 1;
    const written = isFirst ? textIn(item.arguments) : '';
    open.hasArguments ||= written !== '';
    events.push(
      ...this.calls.add(open.index, {
        id: item.call_id ?? item.id,
        name: item.name,
        arguments: written,
        isFirst,
        ...(extra && { providerData: { [provider]: { call: extra } } }),
      }),
    );
  }

  private end(open: OpenItem, item: ResponsesItem, events: ModelEvent[]): void {
    if (open.isDone) return;
    open.isDone = true;
    open.type ||= textIn(item.type);
    switch (item.type) {
      case 'message':
        this.begin(open, item, events);
        this.endMessage(open, item, events);
        break;
      case 'reasoning':
        open.thought.finish(item, this.options.provider, events);
        break;
      case 'function_call':
        this.endCall(open, item, events);
        break;
      case 'compaction':
        events.push({
          type: 'reasoning.end',
          providerData: { [this.options.provider]: { item } },
        });
        break;
      default:
        events.push(hostedTool(item, this.options.provider));
    }
  }

  private endMessage(open: OpenItem, item: ResponsesItem, events: ModelEvent[]): void {
    const parts = objectsIn(item.content);
    for (const part of parts) {
      this.sources.readDelta({ annotations: part.annotations });
      if (part.type === 'refusal') this.wasRefused = true;
    }
    const words = parts.map((part) => textIn(part.text) || textIn(part.refusal));
    const delta = open.text.missing(words);
    if (delta !== '') events.push({ type: 'text.delta', delta });
  }

  /** A call is passed on when it is whole, so that it keeps its place after its thoughts. */
  private endCall(open: OpenItem, item: ResponsesItem, events: ModelEvent[]): void {
    this.begin(open, item, events);
    if (!open.hasArguments) {
      events.push(...this.calls.add(open.index, { arguments: item.arguments }));
    }
    this.openCalls -= 1;
    if (this.openCalls === 0) events.push(...this.calls.finish(item.status === 'incomplete'));
  }
}
