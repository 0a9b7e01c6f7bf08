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
import { ObservedBatches } from './observed-batches';

/** What a model says of a call besides its events. One that asks another model passes it on. */
export interface ModelObserver {
  /** The call failed before its first event, and another attempt follows. */
  retry(attempt: number, delayMs: number, error: unknown): void;
  /** A model failed before its first event, and the next one is asked. */
  fallback(from: string, to: string, error: unknown): void;
  /** What the provider says of its answer, before the answer's `finish`. */
  answered(response: ObservedResponse): void;
  /** Asks a model, as a call of its own. */
  ask(
    model: ChatModel,
    request: ModelRequest,
    options: {
      /** Ends the call when it aborts. */
      readonly signal: AbortSignal;
      /** Counts from 1. */
      readonly attempt: number;
      /** Why it is another attempt. */
      readonly reason: 'retry' | 'fallback';
    },
  ): AsyncIterable<ModelEvent>;
}

/** Marks a model that only asks others, so that it makes no call of its own. */
export const ASKS_OTHERS = Symbol('nestjs-agent:asks-others');

/** Whose call it is, and what for. */
type CallOrigin = Pick<
  ObservedModelCall,
  'runId' | 'sessionId' | 'principal' | 'reason' | 'attempt' | 'isCompacted'
>;

/** What a model's caller adds to what is told of its calls. */
export interface CallWatch {
  /** A call's arguments as they may be told. */
  readonly shownInput: (name: string, input: JsonObject) => JsonObject;
  /** Is told of each model that is asked. */
  readonly asking?: (model: ObservedModel) => void;
}

const SHOWN_AS_THEY_ARE: CallWatch = { shownInput: (_name, input) => input };

/** Asks one model. */
export type AskModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** By its `stream`. */
export function askModel(model: ChatModel): AskModel {
  return (request, signal) => model.stream(request, { signal });
}

/** As `askModel`, watched by the hooks that are set. */
export function askObserved(
  model: ChatModel,
  telemetry: Telemetry,
  origin: () => CallOrigin,
  watch: CallWatch = SHOWN_AS_THEY_ARE,
): AskModel {
  if (!telemetry.isOn) return askModel(model);
  return (request, signal) =>
    new CallObserver(telemetry, origin(), watch).open(model, request, signal);
}

/** A model, by name. */
export function observedModel({ name: model, provider = 'custom' }: ChatModel): ObservedModel {
  return { model, provider };
}

class CallObserver implements ModelObserver {
  private batches: ObservedBatches | undefined;

  constructor(
    private readonly telemetry: Telemetry,
    private readonly origin: CallOrigin,
    private readonly watch: CallWatch,
  ) {}

  open(model: ChatModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const open = () => model.stream(request, { signal, observer: this });
    if (ASKS_OTHERS in model) return open();
    const { maxTokens, temperature, stop } = request;
    const { telemetry, watch } = this;
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
    this.batches = new ObservedBatches(() => batchesOf(open()), {
      telemetry,
      info,
      signal,
      shown: (blocks) => this.shown(blocks),
    });
    return new Batched(this.batches);
  }

  ask(
    model: ChatModel,
    request: ModelRequest,
    { signal, attempt, reason }: Parameters<ModelObserver['ask']>[2],
  ): AsyncIterable<ModelEvent> {
    const origin = attempt === 1 ? this.origin : { ...this.origin, attempt, reason };
    return new CallObserver(this.telemetry, origin, this.watch).open(model, request, signal);
  }

  answered(response: ObservedResponse): void {
    this.batches?.answered(response);
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
