import { createHash } from 'node:crypto';
import type { CallContext, Tool, ToolCall, ToolInvocation } from '../../tool';
import type { CallResponse } from './call-response';
import type { LiveToolContext } from './live-tool-context';

/** One call being carried out: what its stages know and share. */
export class Execution {
  private key: string | undefined;
  private happened: { readonly result: unknown } | undefined;

  constructor(
    readonly call: ToolCall,
    readonly tool: Tool,
    /** What `bind` made of the model's arguments. */
    readonly args: unknown,
    readonly callContext: CallContext,
    readonly response: CallResponse,
  ) {}

  /** What the tool is handed in its present attempt. */
  invocation(context: LiveToolContext, args: unknown): ToolInvocation {
    const idempotencyKey = () => this.idempotencyKey();
    const commit = (result: unknown) => (this.happened = { result });
    return {
      args,
      context,
      callContext: this.callContext,
      attempt: this.response.attempts,
      commit,
      get idempotencyKey() {
        return idempotencyKey();
      },
    };
  }

  /** What the call comes to though it was stopped; missing where nobody knows of its effect. */
  get committed(): { readonly result: unknown } | undefined {
    return this.happened;
  }

  // The same for the same call after a crash, and no other call's: ids that models choose are
  // unique within their run at best.
  private idempotencyKey(): string {
    const { sessionId = '', runId = '' } = this.callContext;
    this.key ??= createHash('sha256')
      .update(JSON.stringify([sessionId, runId, this.call.id, this.call.name]))
      .digest('hex')
      .slice(0, 32);
    return this.key;
  }
}
