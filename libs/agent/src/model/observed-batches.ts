import { AsyncLocalStorage } from 'node:async_hooks';
import { defined } from '../internal';
import { type ContentBlock, countedUsage, type FinishReason, type Usage } from '../message';
import {
  failedEnd,
  originOf,
  type ObservedModelCall,
  type ObservedModelCallEnd,
  type ObservedResponse,
  type Telemetry,
} from '../telemetry';
import { AnswerContent } from './answer-content';
import type { ModelEvent } from './chat-model';

/** Pieces that come within this time have arrived together. */
const TOGETHER_MS = 1;

/** The call whose events are read. */
interface WatchedCall {
  readonly telemetry: Telemetry;
  readonly info: Omit<ObservedModelCall, 'agent'>;
  readonly signal: AbortSignal;
  /** The answer as it may be told. */
  readonly shown: (blocks: readonly ContentBlock[]) => readonly ContentBlock[];
}

/** A call's events, read within its hook: a generator runs in its reader's async context. */
export class ObservedBatches implements AsyncIterableIterator<readonly ModelEvent[]> {
  private source: AsyncIterator<readonly ModelEvent[]> | undefined;
  private within: <T>(read: () => T) => T = (read) => read();
  private settle!: { readonly end: () => void; readonly fail: (error: unknown) => void };
  private hasBegun = false;
  private finishReason: FinishReason | undefined;
  private usage: Usage | undefined;
  private response: ObservedResponse | undefined;
  private readonly content: AnswerContent | undefined;
  private readonly chunkMs: number[] = [];
  private chunkAt = 0;

  constructor(
    private readonly open: () => AsyncIterable<readonly ModelEvent[]>,
    private readonly call: WatchedCall,
  ) {
    if (call.telemetry.seesContent) this.content = new AnswerContent();
  }

  /** What the provider says of its answer. */
  answered(response: ObservedResponse): void {
    this.response = response;
  }

  next(): Promise<IteratorResult<readonly ModelEvent[]>> {
    this.begin();
    return this.within(this.reading);
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
    const { telemetry, info, signal } = this.call;
    this.chunkAt = performance.now();
    telemetry
      .around('modelCall', {
        info: () => info,
        work: () => {
          this.within = AsyncLocalStorage.snapshot();
          return over;
        },
        end: () => ({ ...this.outcome, ...this.said }),
        failed: (error) => ({ ...failedEnd(error, signal), ...this.said }),
      })
      // The reader is told by `next`.
      .catch(() => undefined);
  }

  private readonly reading = () => this.read();

  private read(): Promise<IteratorResult<readonly ModelEvent[]>> {
    try {
      this.source ??= this.open()[Symbol.asyncIterator]();
      return this.source.next().then(this.taken, this.broken);
    } catch (error) {
      return Promise.resolve().then(() => this.broken(error));
    }
  }

  // Fields, since every piece of an answer passes here.
  private readonly taken = (step: IteratorResult<readonly ModelEvent[]>): typeof step => {
    if (step.done === true) this.settle.end();
    else this.hear(step.value);
    return step;
  };

  private readonly broken = (error: unknown): never => {
    this.settle.fail(error);
    throw error;
  };

  private hear(events: readonly ModelEvent[]): void {
    const isFirst = this.chunkMs.length === 0;
    let speaks = false;
    for (const event of events) {
      if (event.type === 'finish') {
        this.finishReason = event.reason;
        this.usage = countedUsage(event.usage);
      } else {
        speaks = true;
        this.content?.add(event);
      }
    }
    if (!speaks) return;
    const now = performance.now();
    const sinceLast = now - this.chunkAt;
    if (!isFirst && sinceLast < TOGETHER_MS) return;
    this.chunkMs.push(sinceLast);
    this.chunkAt = now;
    const { telemetry, info } = this.call;
    if (isFirst) telemetry.event(() => ({ type: 'first_token', ...originOf(info) }));
  }

  private get outcome(): ReturnType<typeof failedEnd> | { readonly status: 'completed' } {
    if (this.finishReason !== undefined && this.finishReason !== 'error') {
      return { status: 'completed' };
    }
    if (this.call.signal.aborted) return { status: 'cancelled' };
    return { status: 'failed', errorCode: 'model_unavailable' };
  }

  private get said(): Omit<ObservedModelCallEnd, 'status' | 'errorCode'> {
    const { finishReason, usage, response, chunkMs, content, call } = this;
    return {
      ...defined({ finishReason, usage, response }),
      chunkMs,
      ...(content && { content: { blocks: call.shown(content.blocks) } }),
    };
  }
}
