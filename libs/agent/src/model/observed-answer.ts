import { defined } from '../internal';
import {
  type ContentBlock,
  countedUsage,
  type FinishReason,
  joinedTexts,
  type Usage,
} from '../message';
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

/** Pieces within this time count as having arrived together. */
const TOGETHER_MS = 1;

/** The call whose answer is observed. */
interface WatchedCall {
  readonly telemetry: Telemetry;
  readonly info: Omit<ObservedModelCall, 'agent'>;
  readonly signal: AbortSignal;
  /** The answer, masked for telemetry. */
  readonly shown: (blocks: readonly ContentBlock[]) => readonly ContentBlock[];
}

/** Gathers an answer's facts for telemetry while it arrives. */
export class ObservedAnswer {
  private finishReason: FinishReason | undefined;
  private usage: Usage | undefined;
  private response: ObservedResponse | undefined;
  private readonly content: AnswerContent | undefined;
  private readonly chunkMs: number[] = [];
  private chunkAt = 0;

  constructor(private readonly call: WatchedCall) {
    if (call.telemetry.seesContent) this.content = new AnswerContent();
  }

  /** Does the work within the call's hook. */
  around<T>(work: () => Promise<T>): Promise<T> {
    const { telemetry, info, signal } = this.call;
    this.chunkAt = performance.now();
    return telemetry.around('modelCall', {
      info: () => info,
      work,
      end: () => ({ ...this.outcome, ...this.said }),
      failed: (error) => ({ ...failedEnd(error, signal), ...this.said }),
    });
  }

  /** Takes the provider's data about its answer. */
  answered(response: ObservedResponse): void {
    this.response = response;
  }

  /** Events that arrived together. */
  hear(events: readonly ModelEvent[]): void {
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
    const isFirst = this.chunkMs.length === 0;
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
      ...(content && { content: { blocks: call.shown(plain(content.all())) } }),
    };
  }
}

/** The text and the calls of an answer, without data of its provider. */
function plain(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const shown = blocks.flatMap((block): ContentBlock[] => {
    switch (block.type) {
      case 'text':
      case 'reasoning':
        return block.text === '' ? [] : [{ type: block.type, text: block.text }];
      case 'tool_use':
        return [{ type: block.type, id: block.id, name: block.name, input: block.input }];
      default:
        return [];
    }
  });
  return joinedTexts(shown);
}
