import type { JsonValue } from '../../message';
import { ToolContext, type CallContext, type ToolCall } from '../../tool';
import { jsonText } from './json-text';

/** What one attempt may tell of its progress, in characters of JSON: a run keeps all of it. */
const MAX_PROGRESS_CHARS = 1_048_576;
/** What an event has besides. */
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

  // Where nobody can stop the call, a signal is made only for who asks for it.
  get signal(): AbortSignal {
    return (this.lazySignal ??= this.ownSignal ?? new AbortController().signal);
  }

  emit(data: JsonValue): void {
    this.report(data);
  }

  /** As `emit`, with any value. What is told is a copy: the tool may go on with its own. */
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
      // Who cannot take it misses it; the tool has its work to do.
    }
  }

  /** The attempt is over, or has told enough: what it still has to say reaches nobody. */
  close(): void {
    this.isOpen = false;
  }
}
