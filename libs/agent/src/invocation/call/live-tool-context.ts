import type { JsonValue } from '../../message';
import { ToolContext, type CallContext, type ToolCall } from '../../tool';

/** The context of one attempt of one call. */
export class LiveToolContext extends ToolContext {
  readonly sessionId?: string;
  readonly runId?: string;
  readonly principal?: string;
  readonly request?: unknown;
  private isOpen = true;

  constructor(
    readonly call: ToolCall,
    readonly signal: AbortSignal,
    private readonly callContext: CallContext,
  ) {
    super();
    this.sessionId = callContext.sessionId;
    this.runId = callContext.runId;
    this.principal = callContext.principal;
    this.request = callContext.request;
  }

  emit(data: JsonValue): void {
    if (this.isOpen && !this.signal.aborted) this.callContext.emit?.(data);
  }

  /** The attempt is over: what it still has to say reaches nobody. */
  close(): void {
    this.isOpen = false;
  }
}
