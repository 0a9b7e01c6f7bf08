import { AsyncLocalStorage } from 'node:async_hooks';
import { Batched, batchesOf, countedUsage, type FinishReason, type Usage } from '../message';
import {
  errorCodeOf,
  failedEnd,
  originOf,
  type ObservedModelCall,
  type Telemetry,
} from '../telemetry';
import type { ChatModel, ModelEvent, ModelRequest } from './chat-model';

/** What a model says of a call besides its events. One that asks another model passes it on. */
export interface ModelObserver {
  /** The call failed before its first event, and another attempt follows. */
  retry(attempt: number, delayMs: number, error: unknown): void;
  /** A model failed before its first event, and the next one is asked. */
  fallback(from: string, to: string, error: unknown): void;
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
  'runId' | 'sessionId' | 'principal' | 'reason' | 'attempt'
>;

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
): AskModel {
  if (!telemetry.isOn) return askModel(model);
  return (request, signal) => new CallObserver(telemetry, origin()).open(model, request, signal);
}

class CallObserver implements ModelObserver {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly origin: CallOrigin,
  ) {}

  open(model: ChatModel, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const open = () => model.stream(request, { signal, observer: this });
    if (ASKS_OTHERS in model) return open();
    const { maxTokens, temperature, stop } = request;
    const info: Omit<ObservedModelCall, 'agent'> = {
      ...this.origin,
      model: model.name,
      provider: model.provider ?? 'custom',
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
      ...(stop && { stop: [...stop] }),
    };
    return new Batched(new ObservedBatches(() => batchesOf(open()), this.telemetry, info, signal));
  }

  ask(
    model: ChatModel,
    request: ModelRequest,
    { signal, attempt, reason }: Parameters<ModelObserver['ask']>[2],
  ): AsyncIterable<ModelEvent> {
    const origin = attempt === 1 ? this.origin : { ...this.origin, attempt, reason };
    return new CallObserver(this.telemetry, origin).open(model, request, signal);
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
}

/** A call's events, read within its hook: a generator runs in its reader's async context. */
class ObservedBatches implements AsyncIterableIterator<readonly ModelEvent[]> {
  private source: AsyncIterator<readonly ModelEvent[]> | undefined;
  private within: <T>(read: () => T) => T = (read) => read();
  private settle!: { readonly end: () => void; readonly fail: (error: unknown) => void };
  private hasBegun = false;
  private hasSpoken = false;
  private finishReason: FinishReason | undefined;
  private usage: Usage | undefined;

  constructor(
    private readonly open: () => AsyncIterable<readonly ModelEvent[]>,
    private readonly telemetry: Telemetry,
    private readonly info: Omit<ObservedModelCall, 'agent'>,
    private readonly signal: AbortSignal,
  ) {}

  next(): Promise<IteratorResult<readonly ModelEvent[]>> {
    this.begin();
    return this.within(() => this.read());
  }

  return(): Promise<IteratorResult<readonly ModelEvent[]>> {
    if (this.hasBegun) this.settle.end();
    // Not waited for here: a source may ignore that its reader has left.
    const left = this.within(() => this.source?.return?.());
    return Promise.resolve(left).then(() => ({ done: true, value: undefined }));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const over = new Promise<void>((resolve, reject) => {
      this.settle = { end: resolve, fail: reject };
    });
    this.telemetry
      .around('modelCall', {
        info: () => this.info,
        work: () => {
          this.within = AsyncLocalStorage.snapshot();
          return over;
        },
        end: () => ({ ...this.outcome, ...this.said }),
        failed: (error) => ({ ...failedEnd(error, this.signal), ...this.said }),
      })
      // The reader is told by `next`.
      .catch(() => undefined);
  }

  private async read(): Promise<IteratorResult<readonly ModelEvent[]>> {
    try {
      this.source ??= this.open()[Symbol.asyncIterator]();
      const step = await this.source.next();
      if (step.done === true) this.settle.end();
      else this.hear(step.value);
      return step;
    } catch (error) {
      this.settle.fail(error);
      throw error;
    }
  }

  private hear(events: readonly ModelEvent[]): void {
    for (const event of events) {
      if (event.type === 'finish') {
        this.finishReason = event.reason;
        this.usage = countedUsage(event.usage);
      } else if (!this.hasSpoken) {
        this.hasSpoken = true;
        this.telemetry.event(() => ({ type: 'first_token', ...originOf(this.info) }));
      }
    }
  }

  private get outcome(): ReturnType<typeof failedEnd> | { readonly status: 'completed' } {
    if (this.finishReason !== undefined && this.finishReason !== 'error') {
      return { status: 'completed' };
    }
    if (this.signal.aborted) return { status: 'cancelled' };
    return { status: 'failed', errorCode: 'model_unavailable' };
  }

  private get said(): { readonly finishReason?: FinishReason; readonly usage?: Usage } {
    return {
      ...(this.finishReason !== undefined && { finishReason: this.finishReason }),
      ...(this.usage && { usage: this.usage }),
    };
  }
}
