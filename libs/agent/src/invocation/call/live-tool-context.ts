import type { JsonValue } from '../../message';
import { ToolContext, type CallContext, type ToolCall } from '../../tool';
import { jsonText } from './json-text';

/** The maximum progress of one attempt, in characters of JSON: a run stores all of it. */
const MAX_PROGRESS_CHARS = 1_048_576;
/** Size of an event without its data. */
const EVENT_CHARS = 100;

/** The context of one attempt of one call. */
export class LiveToolContext extends ToolContext {
  readonly sessionId?: string;
  readonly runId?: string;
  readonly principal?: string;
  readonly request?: unknown;
  private isOpen = true;
  private charsLeft = MAX_PROGRESS_CHARS;
  private lazySignal: AbortSignal | undefined;
  /** Works without its object too: tools take `{ emit }` from their context. */
  override readonly emit = (data: JsonValue): void => this.report(data);

  constructor(
    readonly call: ToolCall,
    private readonly ownSignal: AbortSignal | undefined,
    private readonly callContext: CallContext,
  ) {
    super();
    this.sessionId = callContext.sessionId;
    this.runId = callContext.runId;
    this.principal = callContext.principal;
    this.request = callContext.request;
  }

  // Without a signal of the call, one is created on demand.
  get signal(): AbortSignal {
    return (this.lazySignal ??= this.ownSignal ?? new AbortController().signal);
  }

  /** As `emit`, with any value. Emits a copy, so that the tool may change its own. */
  report(value: unknown): void {
    const { emit } = this.callContext;
    if (emit === undefined || !this.isOpen || this.ownSignal?.aborted === true) return;
    try {
      const text = jsonText(value);
      this.charsLeft -= text.length + EVENT_CHARS;
      if (this.charsLeft >= 0) return emit(JSON.parse(text) as JsonValue);
      this.close();
      emit(`[Left out: further progress, beyond ${MAX_PROGRESS_CHARS} characters.]`);
    } catch {
      // Errors of receivers must not stop the tool.
    }
  }

  /** Drops further progress. */
  close(): void {
    this.isOpen = false;
  }
}
