import { takeUntilAborted } from '../internal';
import { Batched, batchesOf, type ContentBlock, type JsonObject } from '../message';
import {
  errorCodeOf,
  originOf,
  type ObservedModel,
  type ObservedModelCall,
  type ObservedResponse,
  type Telemetry,
} from '../telemetry';
import type { ChatModel, ModelEvent, ModelRequest } from './chat-model';
import { ObservedAnswer } from './observed-answer';
import { ObservedBatches } from './observed-batches';

/**
 * Receives facts about a model's call besides its events. A model that wraps another one passes it
 * on.
 */
export interface ModelObserver {
  /** The call failed before its first event, and another attempt follows. */
  retry(attempt: number, delayMs: number, error: unknown): void;
  /** A model failed before its first event, and the next one is asked. */
  fallback(from: string, to: string, error: unknown): void;
  /** The provider's data about its answer, before the answer's `finish`. */
  answered(response: ObservedResponse): void;
  /** Asks a model, as a separate call. */
  ask(
    model: ChatModel,
    request: ModelRequest,
    options: {
      /** Aborts the call. */
      readonly signal: AbortSignal;
      /** Counts from 1. */
      readonly attempt: number;
      /** Why this is a further attempt. */
      readonly reason: 'retry' | 'fallback';
    },
  ): AsyncIterable<ModelEvent>;
}

/** Marks a model that only asks other models and makes no call itself. */
export const ASKS_OTHERS = Symbol('nestjs-agent:asks-others');

/** The caller and the purpose of a call. */
type CallOrigin = Pick<
  ObservedModelCall,
  'runId' | 'sessionId' | 'principal' | 'reason' | 'attempt' | 'isCompacted'
>;

/** The caller's part in the observation of a model's calls. */
export interface CallWatch {
  /** A call's arguments, masked for telemetry. */
  readonly shownInput: (name: string, input: JsonObject) => JsonObject;
  /** Called for each model that is asked. */
  readonly asking?: (model: ObservedModel) => void;
}

const SHOWN_AS_THEY_ARE: CallWatch = { shownInput: (_name, input) => input };

/** Takes events that arrived together. */
type TakeEvents = (events: readonly ModelEvent[]) => void;

/**
 * Asks one model and passes its events on until the answer ends. Rejects as soon as the signal
 * aborts, even if the model ignores it: a cancel, a shutdown or a lost lease must not wait for a
 * model. After an abort, only calls of provider tools that have begun are passed on.
 */
export type AskModel = (
  request: ModelRequest,
  signal: AbortSignal,
  take: TakeEvents,
) => Promise<void>;

/** By its `stream`. */
export function askModel(model: ChatModel): AskModel {
  return (request, signal, take) => readEach(() => model.stream(request, { signal }), signal, take);
}

/** As `askModel`, watched by the hooks that are set. */
export function askObserved(
  model: ChatModel,
  telemetry: Telemetry,
  origin: () => CallOrigin,
  watch: CallWatch = SHOWN_AS_THEY_ARE,
): AskModel {
  if (!telemetry.isOn) return askModel(model);
  return (request, signal, take) =>
    new CallObserver(telemetry, origin(), watch).read(model, request, signal, take);
}

async function readEach(
  open: () => AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  take: TakeEvents,
): Promise<void> {
  await takeUntilAborted(batchesOf(open()), signal, take, (events) => {
    // Provider tools had their effect; the rest of a cancelled answer is dropped.
    const tools = events.filter(({ type }) => type === 'provider_tool');
    if (tools.length > 0) take(tools);
  });
}

/** A model, by name. */
export function observedModel({ name: model, provider = 'custom' }: ChatModel): ObservedModel {
  return { model, provider };
}

class CallObserver implements ModelObserver {
  private answer: ObservedAnswer | undefined;

  constructor(
    private readonly telemetry: Telemetry,
    private readonly origin: CallOrigin,
    private readonly watch: CallWatch,
  ) {}

  /** Reads the whole answer within the call's hook, so that no event costs more than without one. */
  read(
    model: ChatModel,
    request: ModelRequest,
    signal: AbortSignal,
    take: TakeEvents,
  ): Promise<void> {
    const open = this.opening(model, request, signal);
    if (ASKS_OTHERS in model) return readEach(open, signal, take);
    const answer = this.begin(model, request, signal);
    return answer.around(() =>
      readEach(open, signal, (events) => {
        answer.hear(events);
        take(events);
      }),
    );
  }

  ask(
    model: ChatModel,
    request: ModelRequest,
    { signal, attempt, reason }: Parameters<ModelObserver['ask']>[2],
  ): AsyncIterable<ModelEvent> {
    const origin = attempt === 1 ? this.origin : { ...this.origin, attempt, reason };
    const call = new CallObserver(this.telemetry, origin, this.watch);
    const open = call.opening(model, request, signal);
    if (ASKS_OTHERS in model) return open();
    const answer = call.begin(model, request, signal);
    return new Batched(new ObservedBatches(() => batchesOf(open()), answer));
  }

  answered(response: ObservedResponse): void {
    this.answer?.answered(response);
  }

  retry(attempt: number, delayMs: number, error: unknown): void {
    const errorCode = errorCodeOf(error);
    this.telemetry.event(() => ({
      type: 'retry',
      ...originOf(this.origin),
      attempt,
      delayMs,
      errorCode,
    }));
  }

  fallback(from: string, to: string, error: unknown): void {
    const errorCode = errorCodeOf(error);
    this.telemetry.event(() => ({
      type: 'fallback',
      ...originOf(this.origin),
      from,
      to,
      errorCode,
    }));
  }

  private opening(
    model: ChatModel,
    request: ModelRequest,
    signal: AbortSignal,
  ): () => AsyncIterable<ModelEvent> {
    return () => model.stream(request, { signal, observer: this });
  }

  private begin(model: ChatModel, request: ModelRequest, signal: AbortSignal): ObservedAnswer {
    const { telemetry, watch } = this;
    const { maxTokens, temperature, stop } = request;
    const named = observedModel(model);
    watch.asking?.(named);
    const info: Omit<ObservedModelCall, 'agent'> = {
      ...this.origin,
      ...named,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(stop && { stop: [...stop] }),
      ...(telemetry.seesContent && { content: this.contentOf(request) }),
    };
    this.answer = new ObservedAnswer({
      telemetry,
      info,
      signal,
      shown: (blocks) => this.shown(blocks),
    });
    return this.answer;
  }

  private contentOf({ system, messages, tools }: ModelRequest): ObservedModelCall['content'] {
    return {
      ...(system !== undefined && { system }),
      messages: messages.map((message) => ({ ...message, content: this.shown(message.content) })),
      tools,
    };
  }

  private shown(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
    return blocks.map((block) => {
      if (block.type !== 'tool_use') return block;
      const { type, id, name, input } = block;
      return { type, id, name, input: this.watch.shownInput(name, input) };
    });
  }
}
