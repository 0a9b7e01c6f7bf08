import { hash } from 'node:crypto';
import type { CallContext, Tool, ToolCall, ToolInvocation } from '../../tool';
import type { CallResponse } from './call-response';
import type { LiveToolContext } from './live-tool-context';

/** The execution of one call, shared by its stages. */
export class Execution {
  /** The result of a write that happened before the call was stopped, if known. */
  committed: { readonly result: unknown } | undefined;
  private key: string | undefined;

  constructor(
    readonly call: ToolCall,
    readonly tool: Tool,
    /** The arguments after `bind`. */
    readonly args: unknown,
    readonly callContext: CallContext,
    readonly response: CallResponse,
  ) {}

  /** The tool's input for the current attempt. */
  invocation(context: LiveToolContext, args: unknown): ToolInvocation {
    const idempotencyKey = () => this.idempotencyKey();
    const commit = (result: unknown) => (this.committed = { result });
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

  // The same after a crash, and different for every call: ids chosen by models are at best unique
  // within a run, and outside a run for one principal.
  private idempotencyKey(): string {
    const { sessionId = '', runId = '', principal = '' } = this.callContext;
    const { id, name } = this.call;
    const parts = [principal, sessionId, runId, id, name];
    return (this.key ??= hash('sha256', JSON.stringify(parts)).slice(0, 32));
  }
}
