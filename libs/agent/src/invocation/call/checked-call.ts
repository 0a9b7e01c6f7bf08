import type { JsonObject } from '../../message';
import type { Tool, ToolCall } from '../../tool';
import { CallResponse, type CallHooks } from './call-response';
import type { AuditedApproval } from '../audit';
import type { CallOptions } from './call-options.interface';
import type { Execution } from './execution';
import type { TraceIds } from '../../telemetry';

/** Internal state of a call. */
export interface CallState {
  options: CallOptions;
  approval: AuditedApproval;
  /** Missing if a check refused the call. */
  execution?: Execution;
  /** Whether it was executed, here or elsewhere. */
  hasRun?: boolean;
  /** The span that it was executed in. */
  trace?: TraceIds | undefined;
}

/** A call with its response. */
export class CheckedCall implements ToolCall {
  readonly response: CallResponse;
  // Private: neither a tool nor a call printed as JSON shows it.
  readonly #state: CallState;

  constructor(
    readonly id: string,
    readonly name: string,
    readonly input: JsonObject,
    readonly tool: Tool | undefined,
    state: CallState,
    hooks: CallHooks,
  ) {
    this.#state = state;
    this.response = new CallResponse(this, hooks);
  }

  /** @internal */
  static stateOf(call: CheckedCall): CallState {
    return call.#state;
  }
}
